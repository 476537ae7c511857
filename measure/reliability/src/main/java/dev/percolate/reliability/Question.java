package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A request of the mixed load, with its bytes and its expected response. */
final class Question implements LoadRequest {

  private static final int SHOWN = 60;

  /** The kind of a request, and its weight. */
  enum Kind {
    PLAINTEXT(20),
    JSON(10),
    USERS(20),
    ECHO(10),
    ECHO_CHUNKED(6),
    ECHO_GZIP(4),
    HEAD(8),
    UNKNOWN(8),
    MALFORMED(4),
    TOO_LARGE(1),
    SLOW(3),
    CONDITIONAL(6);

    final int weight;

    Kind(int weight) {
      this.weight = weight;
    }

    /** Returns the name that is used on a command line. */
    String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  final Kind kind;
  final String target;
  private final byte[] bytes;
  private final int status;
  final String type;
  final byte[] body;

  Question(Kind kind, String target, byte[] bytes, int status, String type, byte[] body) {
    this.kind = kind;
    this.target = target;
    this.bytes = bytes;
    this.status = status;
    this.type = type;
    this.body = body;
  }

  @Override
  public String kind() {
    return kind.text();
  }

  @Override
  public String id() {
    return target;
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean isHead() {
    return kind == Kind.HEAD;
  }

  @Override
  public boolean isAnsweredEarly() {
    return kind == Kind.TOO_LARGE || kind == Kind.UNKNOWN;
  }

  @Override
  public @Nullable String fault(FramedResponse response, boolean mayBeLate) {
    if (response.status() != status) {
      return "status " + response.status() + " for " + status + ", " + shown(response.body(), 0);
    }
    if (status == 304) {
      return response.body().length == 0 ? null : "a body with 304: " + shown(response.body(), 0);
    }
    if (!type.equals(response.header("content-type"))) {
      return "type " + response.header("content-type") + " for " + type;
    }
    if (isHead()) {
      String length = response.header("content-length");
      boolean right = Integer.toString(body.length).equals(length) && response.body().length == 0;
      return right ? null : "a length of " + length + " for " + body.length;
    }
    int at = Arrays.mismatch(body, response.body());
    return at < 0
        ? null
        : "a body of %d bytes for %d, from byte %d on %s for %s"
            .formatted(
                response.body().length,
                body.length,
                at,
                shown(response.body(), at),
                shown(body, at));
  }

  @Override
  public String toString() {
    return kind.text() + " " + target;
  }

  private static String shown(byte[] text, int from) {
    int start = Math.max(0, from - SHOWN / 3);
    String part = new String(text, start, Math.min(SHOWN, text.length - start), UTF_8);
    return '"' + part.replaceAll("\\p{Cntrl}", "·") + '"';
  }
}
