package dev.percolate.parsers;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;

/**
 * Undoes a content encoding (RFC 9110 section 8.4.1), piece by piece, no further than the limit.
 *
 * <p>Malformed data is an error 400 without a type.
 */
interface Inflating {

  /** The encodings besides {@code identity} that need no other module. */
  Set<String> ENCODINGS = Set.of("gzip", "deflate", "br");

  /** How much is inflated before it is counted. */
  int BLOCK = 16 << 10;

  /** Takes the next piece. */
  void add(ByteBuffer piece);

  /** Takes note of the end of the body; fails if something is missing. */
  void end();

  /** Gives memory back. */
  void close();

  /** Returns what it takes in memory beside what it reads and writes, such as a window. */
  default long workSpace() {
    return 0;
  }

  /** Makes the way from a body in a known encoding to its bytes. */
  static Inflating of(String encoding, Bytes out) {
    return switch (encoding) {
      case "identity" -> new Identity(out);
      case "gzip" -> new Queued(() -> new Gzip(out), out);
      case "deflate" -> new Queued(() -> new Deflate(out), out);
      case "br" -> new Queued(() -> new Collected(Brotli::inflate, out), out);
      default -> {
        Collected.Decoder decoder = added(encoding);
        yield new Queued(() -> new Collected(decoder, out), out);
      }
    };
  }

  /** Tells whether an encoding besides {@code identity} is known. */
  static boolean isKnown(String encoding) {
    return ENCODINGS.contains(encoding) || Codings.find(encoding) != null;
  }

  /** Copies an inflating stream up to the limit, and closes it. */
  static void copy(InputStream stream, Bytes out) throws IOException {
    byte[] block = new byte[BLOCK];
    try (stream) {
      for (int n = stream.read(block, 0, BLOCK); n > 0; n = stream.read(block, 0, BLOCK)) {
        out.add(block, n);
      }
    }
  }

  private static Collected.Decoder added(String encoding) {
    ContentCoding coding = Objects.requireNonNull(Codings.find(encoding));
    return (compressed, out) -> copy(coding.inflate(new ByteArrayInputStream(compressed)), out);
  }
}
