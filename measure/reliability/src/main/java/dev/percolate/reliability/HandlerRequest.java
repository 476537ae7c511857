package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A request to a {@link HandlersServer}, with its bytes and its expected response. */
final class HandlerRequest {

  private static final byte[] FILE = OwnText.file();
  private static final byte[] OVER = "Service Unavailable\n".getBytes(US_ASCII);
  private static final int SMALLEST = 10;
  private static final int LARGEST = 40_000;
  private static final int LARGEST_STREAM = 400_000;

  final HandlerKind kind;
  final byte[] bytes;
  final String id;
  private final byte[] body;

  private HandlerRequest(HandlerKind kind, String id, byte[] bytes, byte[] body) {
    this.kind = kind;
    this.id = id;
    this.bytes = bytes;
    this.body = body;
  }

  /** Creates a random request. */
  static HandlerRequest next(SplittableRandom random, List<HandlerKind> kinds) {
    HandlerKind kind = drawn(random, kinds);
    String id = Long.toHexString(random.nextLong());
    int size = size(random, kind.isStream() ? LARGEST_STREAM : LARGEST);
    size += kind == HandlerKind.PUBLISH ? TopicTally.NAMED : 0;
    byte[] own = OwnText.of(id, size).getBytes(US_ASCII);
    String headers = "X-Id: " + id + "\r\nX-Noise: " + "x".repeat(random.nextInt(200)) + "\r\n";
    byte[] body = own;
    if (kind.isCompressed()) {
      headers += "Accept-Encoding: gzip\r\n";
    } else if (kind == HandlerKind.FILE) {
      body = FILE;
    } else if (kind == HandlerKind.RANGE) {
      int from = random.nextInt(FILE.length);
      int to = random.nextInt(from, FILE.length);
      headers += "Range: bytes=" + from + "-" + to + "\r\n";
      body = Arrays.copyOfRange(FILE, from, to + 1);
    }
    byte[] sent = kind.isEcho() ? own : new byte[size(random, LARGEST)];
    return new HandlerRequest(kind, id, bytes(random, kind, size, headers, sent), body);
  }

  /** Returns true if a response is that of a timeout. */
  static boolean isLate(FramedAnswer answer) {
    return answer.status() == 503;
  }

  /**
   * Returns the fault of a response, or null.
   *
   * @param mayBeLate whether it came so late that the server's timeout may have ended
   */
  @Nullable String fault(FramedAnswer answer, boolean mayBeLate) throws IOException {
    boolean late = isLate(answer);
    if (late ? !kind.mayTimeOut() && !mayBeLate : kind.mustTimeOut()) {
      return "status " + answer.status() + (late ? " before the timeout" : " for 503");
    }
    if (!late && answer.status() != status()) {
      return "status " + answer.status() + " for " + status();
    }
    String named = answer.header("x-id");
    if (named == null ? !late : !named.equals(id)) {
      return "the response to " + named;
    }
    byte[] found = decoded(answer);
    if (late && Arrays.equals(found, OVER)) {
      return null;
    }
    int at = Arrays.mismatch(body, found);
    return at < 0
        ? null
        : "a body of %d bytes for %d, different from byte %d on: %s"
            .formatted(found.length, body.length, at, shown(found, at));
  }

  @Override
  public String toString() {
    return kind.text() + " " + id;
  }

  private int status() {
    return switch (kind) {
      case THROWS_BEFORE, FAILS_ELSEWHERE -> 500;
      case RANGE -> 206;
      default -> 200;
    };
  }

  private static HandlerKind drawn(SplittableRandom random, List<HandlerKind> kinds) {
    int drawn = random.nextInt(kinds.stream().mapToInt(kind -> kind.weight).sum());
    for (HandlerKind kind : kinds) {
      drawn -= kind.weight;
      if (drawn < 0) {
        return kind;
      }
    }
    throw new IllegalStateException("no handler kinds");
  }

  /** Returns a random size; small sizes are as frequent as large ones, by number of digits. */
  private static int size(SplittableRandom random, int largest) {
    return (int) Math.exp(random.nextDouble(Math.log(SMALLEST), Math.log(largest)));
  }

  private static byte[] bytes(
      SplittableRandom random, HandlerKind kind, int size, String headers, byte[] body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String method = kind.hasBody() ? "POST" : "GET";
    ascii(out, method + " /" + kind.text() + "?size=" + size + " HTTP/1.1\r\nHost: localhost\r\n");
    ascii(out, headers);
    if (!kind.hasBody()) {
      ascii(out, "\r\n");
    } else if (random.nextBoolean()) {
      ascii(out, "Content-Type: application/octet-stream\r\n");
      ascii(out, "Content-Length: " + body.length + "\r\n\r\n");
      out.writeBytes(body);
    } else {
      ascii(out, "Content-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
      chunks(out, random, body);
    }
    return out.toByteArray();
  }

  private static void chunks(ByteArrayOutputStream out, SplittableRandom random, byte[] body) {
    int largest = 1 + body.length / (1 + random.nextInt(10));
    for (int at = 0; at < body.length; ) {
      int length = Math.min(1 + random.nextInt(largest), body.length - at);
      ascii(out, Integer.toHexString(length) + "\r\n");
      out.write(body, at, length);
      ascii(out, "\r\n");
      at += length;
    }
    ascii(out, "0\r\n\r\n");
  }

  private static void ascii(ByteArrayOutputStream out, String text) {
    out.writeBytes(text.getBytes(US_ASCII));
  }

  private static byte[] decoded(FramedAnswer answer) throws IOException {
    if (!"gzip".equals(answer.header("content-encoding"))) {
      return answer.body();
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
      return in.readAllBytes();
    }
  }

  private static String shown(byte[] text, int from) {
    int end = Math.min(text.length, from + 60);
    return '"' + new String(text, from, end - from, US_ASCII).replaceAll("\\p{Cntrl}", "·") + '"';
  }
}
