package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.percolate.engine.ListenOptions;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/**
 * Measures the CPU cost of heads and chunks that arrive byte by byte, compared with whole ones.
 * {@code reliability/read-cost} starts it.
 */
final class ReadCost {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final ListenOptions OPTIONS = ListenOptions.ofPort(0);
  private static final int WARM_UPS = 4;
  private static final int TRIES = 12;
  private static final int ROUNDS = 2_000;
  private static final double MOST_FACTOR = 3;
  private static final double MOST_GROWTH = 2.5;
  private static final String HEAD = "GET / HTTP/1.1\r\nHost: a\r\n";

  /** Reads bytes in pieces. */
  private interface Reader {
    int read(byte[] bytes, int piece);
  }

  /**
   * A measured case.
   *
   * @param text creates the bytes of about a size
   * @param size the largest allowed size
   */
  private record Case(String name, int size, IntFunction<String> text, Reader reader) {}

  private ReadCost() {}

  /** Measures and prints a line for each case; ends with status 1 if one is too expensive. */
  public static void main(String[] args) {
    List<Case> cases =
        List.of(
            new Case(
                "a head of one long line",
                8_100,
                size -> HEAD + "X: " + "y".repeat(size) + "\r\n\r\n",
                ReadCost::head),
            new Case("a head of many lines", 8_000, size -> HEAD + lines(size), ReadCost::head),
            new Case(
                "a line of a chunk",
                4_000,
                size -> "1;a=" + "b".repeat(size) + "\r\nZ\r\n0\r\n\r\n",
                ReadCost::body),
            new Case(
                "chunks of a byte",
                8_000,
                size -> "1\r\nZ\r\n".repeat(size / 6) + "0\r\n\r\n",
                ReadCost::body),
            new Case("trailers", 8_000, size -> "0\r\n" + lines(size), ReadCost::body));
    long failed = cases.stream().filter(each -> !passes(each)).count();
    System.exit(failed == 0 ? 0 : 1);
  }

  private static String lines(int size) {
    return ("X-Name: " + "y".repeat(90) + "\r\n").repeat(size / 100) + "\r\n";
  }

  private static boolean passes(Case each) {
    byte[] bytes = each.text.apply(each.size).getBytes(ISO_8859_1);
    byte[] half = each.text.apply(each.size / 2).getBytes(ISO_8859_1);
    double[] least = new double[4];
    Arrays.fill(least, Double.MAX_VALUE);
    for (int i = -WARM_UPS; i < TRIES; i++) {
      double[] now = {
        microseconds(bytes, bytes.length, each.reader),
        microseconds(bytes, 1, ReadCost::keep),
        microseconds(half, 1, each.reader),
        microseconds(bytes, 1, each.reader)
      };
      for (int j = 0; i >= 0 && j < now.length; j++) {
        least[j] = Math.min(least[j], now[j]);
      }
    }
    double factor = least[3] / Math.max(least[0], least[1]);
    double growth = least[3] / least[2];
    boolean passes = factor <= MOST_FACTOR && growth <= MOST_GROWTH;
    System.out.printf(
        Locale.ROOT,
        "%-24s %,6d bytes: whole %5.1f us, kept %5.1f us, byte by byte %5.1f us: %.2f times; "
            + "twice the size: %.2f times: %s%n",
        each.name,
        bytes.length,
        least[0],
        least[1],
        least[3],
        factor,
        growth,
        passes ? "PASS" : "FAIL");
    return passes;
  }

  private static double microseconds(byte[] bytes, int piece, Reader reader) {
    long begin = THREADS.getCurrentThreadCpuTime();
    int seen = 1;
    for (int i = 0; i < ROUNDS; i++) {
      seen |= reader.read(bytes, piece);
    }
    long took = THREADS.getCurrentThreadCpuTime() - begin;
    if (seen == 0) { // uses the result, so that the JIT compiler cannot remove the loop
      throw new IllegalStateException();
    }
    return took / 1e3 / ROUNDS;
  }

  private static int head(byte[] bytes, int piece) {
    HeadParser head = new HeadParser(OPTIONS, new RecentValues());
    int at = 0;
    while (at < bytes.length) {
      at = head.parse(bytes, at, Math.min(bytes.length, at + piece));
    }
    if (head.state() != HeadParser.State.WHOLE) {
      throw new IllegalStateException(head.state() + " " + head.status());
    }
    return head.headers().size();
  }

  private static int body(byte[] bytes, int piece) {
    byte[] data = bytes.clone(); // it is decoded in place
    BodyDecoder body =
        new BodyDecoder(HeadParser.CHUNKED, OPTIONS.maxHeaderBytes(), OPTIONS.maxHeaders());
    int at = 0;
    while (at < data.length && !body.isMalformed()) {
      at = body.decode(data, at, Math.min(data.length, at + piece));
    }
    if (!body.isOver()) {
      throw new IllegalStateException("malformed");
    }
    return body.decoded();
  }

  /**
   * Does the least that a reader called for each piece must do: it stores bytes until a line ends.
   */
  private static int keep(byte[] bytes, int piece) {
    Lines lines = new Lines();
    for (int at = 0; at < bytes.length; at += piece) {
      lines.keep(bytes, at, Math.min(bytes.length, at + piece));
    }
    return lines.count;
  }

  private static final class Lines {
    private byte[] line = new byte[256];
    private int size;
    private int count;

    void keep(byte[] bytes, int from, int to) {
      if (size + to - from > line.length) {
        line = Arrays.copyOf(line, 2 * line.length);
      }
      System.arraycopy(bytes, from, line, size, to - from);
      size += to - from;
      for (int i = from; i < to; i++) {
        if (bytes[i] == '\n') {
          count += line[0];
          size = 0;
        }
      }
    }
  }
}
