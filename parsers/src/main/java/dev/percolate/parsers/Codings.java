package dev.percolate.parsers;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;

/** The content encodings that are known, and how each is undone. */
final class Codings {

  /** Those besides {@code identity} that need no other module. */
  private static final Set<String> OWN = Set.of("gzip", "deflate", "br");

  /** Those that other modules add, by their names; looked for when one of them is asked for. */
  private static final class Added {

    static final Map<String, ContentCoding> FOUND = found();

    private Added() {}
  }

  private Codings() {}

  /** Tells whether an encoding besides {@code identity} is known. */
  static boolean isKnown(String encoding) {
    return OWN.contains(encoding) || Added.FOUND.containsKey(encoding);
  }

  /** Returns the way from a body in a known encoding besides {@code identity} to its bytes. */
  static Decoder inflating(String encoding, Bytes out) {
    return switch (encoding) {
      case "gzip" -> new ThrottledDecoder(() -> new Gzip(out), out);
      case "deflate" -> new ThrottledDecoder(() -> new Zlib(new DeflateStream(false, out)), out);
      case "br" -> new ThrottledDecoder(() -> new BufferedDecoder(Brotli::inflate, out), out);
      default -> {
        ContentCoding coding = Objects.requireNonNull(Added.FOUND.get(encoding));
        BufferedDecoder.Whole decoder =
            (body, to) -> to.addAll(coding.inflate(new ByteArrayInputStream(body)));
        yield new ThrottledDecoder(() -> new BufferedDecoder(decoder, out), out);
      }
    };
  }

  private static Map<String, ContentCoding> found() {
    Map<String, ContentCoding> found = new HashMap<>();
    for (ContentCoding coding : ServiceLoader.load(ContentCoding.class)) {
      ContentCoding other = found.put(coding.name(), coding);
      if (other != null) {
        throw new IllegalStateException(
            "more than one ContentCoding for "
                + coding.name()
                + ": "
                + other.getClass().getName()
                + ", "
                + coding.getClass().getName()
                + "; keep one");
      }
    }
    return found;
  }

  /** Inflates the zlib format (RFC 1950); what follows the data is ignored. */
  private record Zlib(DeflateStream stream) implements Decoder {

    @Override
    public void add(ByteBuffer piece) {
      if (!stream.finished()) {
        stream.add(piece);
      }
    }

    @Override
    public void close() {
      stream.close();
    }

    @Override
    public void end() {
      DeflateStream.expectEnd(stream.finished());
    }
  }
}
