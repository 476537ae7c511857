package dev.percolate.parsers;

import dev.percolate.engine.Providers;
import dev.percolate.http.BodyErrors;
import dev.percolate.http.HttpError;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The content codings of a body (RFC 9110 section 8.4), in the order in which they were applied.
 *
 * @param names the names, without {@code identity}
 */
record Codings(List<String> names) {

  /** The built-in codings, without {@code identity}. */
  private static final Set<String> OWN = Set.of("gzip", "deflate", "br");

  /**
   * The maximum number of codings, as in curl. Each coding can expand a byte to a thousand bytes.
   */
  private static final int MOST = 5;

  /** The codings of other modules by name; null until they are loaded. */
  private static volatile @Nullable Map<String, ContentCoding> added;

  /**
   * Parses a {@code Content-Encoding} header, which is a list. {@code x-gzip} means {@code gzip}
   * (section 8.4.1.3). Letter case and {@code identity} are ignored.
   *
   * @param header the value
   * @return the codings; null if there are none
   * @throws HttpError 415 if a coding is unknown, or if there are too many
   */
  static @Nullable Codings parse(String header) {
    String list = header.toLowerCase(Locale.ROOT);
    List<String> names = new ArrayList<>();
    for (String item : list.split(",", -1)) {
      String name = item.strip();
      if (!name.isEmpty() && !name.equals("identity")) {
        names.add(name.equals("x-gzip") ? "gzip" : name);
      }
    }
    if (names.size() > MOST || !names.stream().allMatch(Codings::isKnown)) {
      throw BodyErrors.encoding(list);
    }
    return names.isEmpty() ? null : new Codings(List.copyOf(names));
  }

  /** Parses a header that must name a single coding. See {@link BodyParser#EXACT_NAMES}. */
  static @Nullable Codings parseExactly(String header) {
    String name = header.toLowerCase(Locale.ROOT);
    if (name.isEmpty() || name.equals("identity")) {
      return null;
    }
    if (!isKnown(name)) {
      throw BodyErrors.encoding(name);
    }
    return new Codings(List.of(name));
  }

  /** Checks that all codings on the class path can be loaded. */
  static void check() {
    boolean ignored = isKnown("");
  }

  /** Creates a decoder for all codings, the last one first. */
  Decoder decoder(Bytes out) {
    Decoder decoder = out;
    Bytes target = out;
    for (int i = 0; i < names.size(); i++) {
      Decoder undoing = decoder(names.get(i), target);
      decoder = i == 0 ? undoing : new ChainedDecoder(undoing, target, decoder);
      // The output of an outer coding is at most the compressed form of a body within the limit.
      target = new Bytes(BufferedDecoder.most(out.limit()), -1, out.kept());
    }
    return decoder;
  }

  private static boolean isKnown(String coding) {
    return OWN.contains(coding) || added().containsKey(coding);
  }

  private static Decoder decoder(String coding, Bytes out) {
    return switch (coding) {
      case "gzip" -> new ThrottledDecoder(() -> new Gzip(out), out);
      case "deflate" -> new ThrottledDecoder(() -> new DeflateStream(false, out), out);
      case "br" -> new ThrottledDecoder(() -> new BufferedDecoder(Brotli::inflate, out), out);
      default -> {
        ContentCoding added = Objects.requireNonNull(added().get(coding));
        BufferedDecoder.Whole decoder =
            (body, to) -> to.addAll(added.inflate(new ByteArrayInputStream(body)));
        yield new ThrottledDecoder(() -> new BufferedDecoder(decoder, out), out);
      }
    };
  }

  /**
   * Returns the codings of other modules by name. Parsers call this when they are created.
   *
   * @throws IllegalStateException if a coding cannot be loaded, or two have the same name
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

  /**
   * Decodes two content codings, one after the other.
   *
   * @param first decodes the coding that was applied last
   * @param between collects its output, up to a limit
   * @param second decodes the other codings
   */
  private record ChainedDecoder(Decoder first, Bytes between, Decoder second) implements Decoder {

    @Override
    public void add(ByteBuffer piece) {
      first.add(piece);
    }

    @Override
    public void end() {
      first.end();
      second.add(ByteBuffer.wrap(between.toArray()));
      second.end();
    }

    @Override
    public void close() {
      first.close();
      second.close();
    }

    @Override
    public long workSpace() {
      return first.workSpace() + second.workSpace();
    }
  }
}
