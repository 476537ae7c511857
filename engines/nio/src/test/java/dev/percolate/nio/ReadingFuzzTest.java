package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Bytes are parsed as the same requests however they arrive, and accepted requests have only one
 * framing.
 *
 * <p>Requests of the corpus are changed at random, with a fixed seed. With {@code
 * -Dpercolate.fuzz=1800}, the test runs for that many seconds with a random seed.
 */
final class ReadingFuzzTest {

  private static final int TRIALS = 20_000;
  private static final long SECONDS = Long.getLong("percolate.fuzz", 0);

  /** Bytes that a parser may handle incorrectly. */
  private static final List<String> PIECES =
      List.of(
          "\r\n",
          "\n",
          "\r",
          " ",
          "\t",
          ":",
          ",",
          ";",
          "\"",
          "\\",
          "\0",
          "\u007f",
          "\u00ff",
          "0",
          "f",
          "00000000",
          "7fffffff",
          "80000000",
          "chunked",
          "Transfer-Encoding: chunked\r\n",
          "Content-Length: 5\r\n",
          "Host: b\r\n",
          "Expect: 100-continue\r\n",
          "HTTP/1.1",
          "HTTP/1.0",
          "\r\n\r\n",
          "0\r\n\r\n",
          "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
          "x".repeat(198),
          "y".repeat(395));

  @FuzzTest
  void bytesAreTheSameRequestsHoweverTheyAreCut(byte[] data) {
    String whole = Reading.of(data, Math.max(1, data.length));
    assertEquals(whole, Reading.of(data, 1), () -> new String(data, ISO_8859_1));
    assertEquals(whole, Reading.of(data, 2 + data.length % 17));
  }

  @Test
  void randomlyChangedRequestsAreTheSameHoweverTheyAreSplit() throws IOException {
    List<byte[]> corpus =
        MalformedRequest.corpus().stream()
            .map(request -> request.bytes().getBytes(ISO_8859_1))
            .filter(bytes -> bytes.length < 2000)
            .toList();
    long seed = SECONDS == 0 ? 25 : System.nanoTime();
    Random random = new Random(seed);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    long trials = 0;
    int entered = 0;
    for (; trials < TRIALS || System.nanoTime() - end < 0; trials++) {
      byte[] data = corpus.get(random.nextInt(corpus.size()));
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        data = changed(data, random);
      }
      bytesAreTheSameRequestsHoweverTheyAreCut(data);
      entered += Reading.of(data, data.length + 1).startsWith("\n0 ") ? 1 : 0;
    }
    assertTrue(entered > trials / 100, entered + " of " + trials + " accepted, seed " + seed);
    assertTrue(entered < trials, "none is rejected");
  }

  private static byte[] changed(byte[] data, Random random) {
    int at = random.nextInt(data.length + 1);
    int to = at + random.nextInt(Math.min(20, data.length - at + 1));
    byte[] piece = PIECES.get(random.nextInt(PIECES.size())).getBytes(ISO_8859_1);
    return switch (random.nextInt(4)) {
      case 0 -> joined(data, at, piece, at);
      case 1 -> joined(data, at, piece, to);
      case 2 -> joined(data, at, new byte[0], to);
      default -> joined(data, to, Arrays.copyOfRange(data, at, to), to);
    };
  }

  /** Replaces the bytes between two positions. */
  private static byte[] joined(byte[] data, int from, byte[] piece, int to) {
    byte[] all = Arrays.copyOf(data, from + piece.length + data.length - to);
    System.arraycopy(piece, 0, all, from, piece.length);
    System.arraycopy(data, to, all, from + piece.length, data.length - to);
    return all;
  }
}
