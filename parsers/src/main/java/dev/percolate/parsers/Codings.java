package dev.percolate.parsers;

import dev.percolate.engine.Providers;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The content encodings that are known, and how each is undone. */
final class Codings {

  /** Those besides {@code identity} that need no other module. */
  private static final Set<String> OWN = Set.of("gzip", "deflate", "br");

  /** The codings of other modules, by their names; null until they are loaded. */
  private static volatile @Nullable Map<String, ContentCoding> added;

  private Codings() {}

  /** Tells whether an encoding besides {@code identity} is known. */
  static boolean isKnown(String encoding) {
    return OWN.contains(encoding) || added().containsKey(encoding);
  }

  /** Returns the way from a body in a known encoding besides {@code identity} to its bytes. */
  static Decoder inflating(String encoding, Bytes out) {
    return switch (encoding) {
      case "gzip" -> new ThrottledDecoder(() -> new Gzip(out), out);
      case "deflate" -> new ThrottledDecoder(() -> new Zlib(new DeflateStream(false, out)), out);
      case "br" -> new ThrottledDecoder(() -> new BufferedDecoder(Brotli::inflate, out), out);
      default -> {
        ContentCoding coding = Objects.requireNonNull(added().get(encoding));
        BufferedDecoder.Whole decoder =
            (body, to) -> to.addAll(coding.inflate(new ByteArrayInputStream(body)));
        yield new ThrottledDecoder(() -> new BufferedDecoder(decoder, out), out);
      }
    };
  }

  /**
   * Returns the codings of other modules, by their names. Parsers call this when they are created.
   *
   * @throws IllegalStateException if one of them cannot be used, or two have the same name
   */
  private static Map<String, ContentCoding> added() {
    // Not loaded in a class initializer: each failure must name the missing library.
    Map<String, ContentCoding> known = added;
    if (known == null) {
      known = found();
      added = known;
    }
    return known;
  }

  private static Map<String, ContentCoding> found() {
    Map<String, ContentCoding> found = new HashMap<>();
    for (ContentCoding coding : Providers.all(ServiceLoader.load(ContentCoding.class))) {
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
