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
final class HandlerRequest implements LoadRequest {

  private static final byte[] FILE = OwnText.file();
  private static final byte[] OVER = "Service Unavailable\n".getBytes(US_ASCII);
  private static final int SMALLEST = 10;
  private static final int LARGEST = 40_000;
  private static final int LARGEST_STREAM = 400_000;

  final HandlerKind kind;
  private final byte[] bytes;
  private final String id;
  private final byte[] body;

  private HandlerRequest(HandlerKind kind, String id, byte[] bytes, byte[] body) {
    this.kind = kind;
    this.id = id;
    this.bytes = bytes;
    this.body = body;
  }

  /** Creates a random request. */
  static HandlerRequest next(SplittableRandom random, List<HandlerKind> kinds) {
    HandlerKind kind = RandomChoice.weighted(random, kinds, each -> each.weight);
    String id = Long.toHexString(random.nextLong());
    int size = RandomChoice.size(random, SMALLEST, kind.isStream() ? LARGEST_STREAM : LARGEST);
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
    byte[] sent = kind.isEcho() ? own : new byte[RandomChoice.size(random, SMALLEST, LARGEST)];
    return new HandlerRequest(kind, id, bytes(random, kind, size, headers, sent), body);
  }

  @Override
  public String kind() {
    return kind.text();
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean isAnsweredEarly() {
    return kind.isAnsweredEarly();
  }

  @Override
  public boolean isCutShort() {
    return kind == HandlerKind.THROWS_MIDWAY;
  }

  @Override
  public @Nullable String fault(FramedResponse response, boolean mayBeLate) throws IOException {
    boolean late = response.status() == 503;
    if (late ? !kind.mayTimeOut() && !mayBeLate : kind.mustTimeOut()) {
      return "status " + response.status() + (late ? " before the timeout" : " for 503");
    }
    if (!late && response.status() != status()) {
      return "status " + response.status() + " for " + status();
    }
    String named = response.header("x-id");
    if (named == null ? !late : !named.equals(id)) {
      return "the response to " + named;
    }
    byte[] found = decoded(response);
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
      out.writeBytes(RequestWriter.chunked(random, body));
    }
    return out.toByteArray();
  }

  private static void ascii(ByteArrayOutputStream out, String text) {
    out.writeBytes(text.getBytes(US_ASCII));
  }

  private static byte[] decoded(FramedResponse response) throws IOException {
    if (!"gzip".equals(response.header("content-encoding"))) {
      return response.body();
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
      return in.readAllBytes();
    }
  }

  private static String shown(byte[] text, int from) {
    int end = Math.min(text.length, from + 60);
    return '"' + new String(text, from, end - from, US_ASCII).replaceAll("\\p{Cntrl}", "·") + '"';
  }
}
