package dev.percolate.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Maps file extensions to media types, and adds the charset to text types.
 *
 * <p>The {@linkplain #standard standard} types come from npm's mime-db, which collects the types of
 * IANA, Apache and nginx. An application can add types:
 *
 * <pre>{@code
 * app.set("mime types", Map.of("parquet", "application/vnd.apache.parquet"));
 * }</pre>
 *
 * <p>Immutable.
 */
public final class MimeTypes {
  private static final String UNKNOWN = "application/octet-stream";
  private static final String TEXT = "text/";
  private static final MimeTypes STANDARD = new MimeTypes(load("mime.types"), false);

  private final Map<String, String> byExtension;
  private final boolean recorded;

  private MimeTypes(Map<String, String> byExtension, boolean recorded) {
    this.byExtension = byExtension;
    this.recorded = recorded;
  }

  /** Loads the types of Express on first use. */
  private static final class Express {
    static final MimeTypes TYPES = new MimeTypes(load("express.types"), true);
  }

  /** Returns the types of mime-db. */
  public static MimeTypes standard() {
    return STANDARD;
  }

  /**
   * Returns the types of Express 3, with the names of 2015, such as {@code application/javascript}.
   * The charset is {@code UTF-8} in upper case; types that are set by extension have none. A file
   * name without a dot is an extension.
   */
  public static MimeTypes express() {
    return Express.TYPES;
  }

  /**
   * Returns the types for a value of the setting {@code mime types}.
   *
   * @param setting a map to add to the standard types with {@link #with}, or a {@code MimeTypes};
   *     null for the standard types
   * @throws IllegalArgumentException for any other value, or an invalid entry of the map
   */
  public static MimeTypes of(@Nullable Object setting) {
    if (setting == null) {
      return STANDARD;
    }
    if (setting instanceof MimeTypes types) {
      return types;
    }
    if (setting instanceof Map<?, ?> additions) {
      return STANDARD.with(additions);
    }
    throw new IllegalArgumentException(
        "set(\"mime types\", " + setting + "): must be a map of extensions and media types");
  }

  /**
   * Returns a copy with added or replaced types.
   *
   * @param additions media types by extension, with or without a dot, in any letter case. A type
   *     with parameters gets no charset
   * @return the changed types
   * @throws IllegalArgumentException if a key is not an extension, or a value not a media type
   */
  public MimeTypes with(Map<?, ?> additions) {
    Map<String, String> all = new HashMap<>(byExtension);
    additions.forEach((extension, type) -> all.put(extension(extension), type(extension, type)));
    return new MimeTypes(all, recorded);
  }

  /**
   * Returns the media type of a file or extension, such as {@code html}.
   *
   * @param path a path, a file name or an extension, in any letter case
   * @return the type without parameters; {@code application/octet-stream} if it is unknown
   */
  public String ofPath(String path) {
    String type = find(path);
    int semicolon = type.indexOf(';');
    return semicolon < 0 ? type : type.substring(0, semicolon).stripTrailing();
  }

  /**
   * Returns the media type of an extension in the options of a body parser.
   *
   * @param name an extension or a file name, in any letter case
   * @return the type without parameters; null if it is unknown
   */
  public @Nullable String ofExtension(String name) {
    String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return byExtension.containsKey(extension) ? ofPath(extension) : null;
  }

  /**
   * Returns the media type of a file with its charset; see {@link #ofPath}.
   *
   * @param path a path, a file name or an extension
   */
  public String contentType(String path) {
    return withCharset(find(path));
  }

  /**
   * Returns the content type that {@code res.type(name)} sets.
   *
   * @param name an extension or a file name
   */
  public String named(String name) {
    return recorded ? find(name) : contentType(name);
  }

  /**
   * Adds {@code charset=utf-8} to a text type without parameters.
   *
   * @param type a media type
   */
  public String withCharset(String type) {
    boolean text = type.regionMatches(true, 0, TEXT, 0, TEXT.length());
    if (!text || type.indexOf(';') >= 0) {
      return type;
    }
    return type + (recorded ? "; charset=UTF-8" : "; charset=utf-8");
  }

  private String find(String path) {
    int dot = path.lastIndexOf('.');
    int slash = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
    if (slash > dot && !recorded) {
      return UNKNOWN; // a file with the name html has no extension
    }
    String extension = path.substring(Math.max(dot, slash) + 1).toLowerCase(Locale.ROOT);
    return byExtension.getOrDefault(extension, UNKNOWN);
  }

  private static String extension(@Nullable Object key) {
    String text = key instanceof String name ? name : "";
    String extension = text.startsWith(".") ? text.substring(1) : text;
    if (extension.isEmpty() || extension.chars().anyMatch(c -> "./\\".indexOf(c) >= 0)) {
      throw new IllegalArgumentException(
          "mime types: a key must be an extension such as \"html\", was " + key);
    }
    return extension.toLowerCase(Locale.ROOT);
  }

  private static String type(@Nullable Object extension, @Nullable Object value) {
    String text = value instanceof String type ? type.strip() : "";
    int end = Ascii.indexOrEnd(text, ';', 0);
    int slash = Math.max(0, text.indexOf('/'));
    boolean visible = text.chars().allMatch(c -> c >= ' ' && c <= '~');
    String subtype = text.substring(Math.min(slash + 1, end), end).stripTrailing();
    if (!visible || !HeaderText.isToken(text, 0, slash) || !HeaderText.isToken(subtype)) {
      throw new IllegalArgumentException(
          "mime types: "
              + extension
              + " must have a media type such as \"text/html\", was "
              + value);
    }
    return text;
  }

  private static Map<String, String> load(String resource) {
    Map<String, String> types = new HashMap<>();
    try (InputStream in = MimeTypes.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("resource " + resource + " is missing");
      }
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", 0)) {
        if (!line.startsWith("#")) {
          List<String> words = ListText.split(line, ' ');
          words.subList(1, words.size()).forEach(one -> types.put(one, words.get(0)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return types;
  }
}
