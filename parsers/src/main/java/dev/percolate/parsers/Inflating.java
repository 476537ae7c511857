package dev.percolate.parsers;

import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Undoes a content encoding (RFC 9110 section 8.4.1), piece by piece, no further than the limit.
 *
 * <p>Malformed data is an error 400 without a type.
 */
interface Inflating {

  /** The encodings besides {@code identity}. */
  Set<String> ENCODINGS = Set.of("gzip", "deflate", "br");

  /** How much is inflated before it is counted. */
  int BLOCK = 16 << 10;

  /** Takes the next piece. */
  void add(ByteBuffer piece);

  /** Takes note of the end of the body; fails if something is missing. */
  void end();

  /** Gives memory back. */
  void close();

  /** Makes the way from a body in a known encoding to its bytes. */
  static Inflating of(String encoding, Bytes out) {
    return switch (encoding) {
      case "gzip" -> new Gzip(out);
      case "deflate" -> new Deflate(out);
      case "br" -> new Brotli(out);
      default -> new Identity(out);
    };
  }
}
