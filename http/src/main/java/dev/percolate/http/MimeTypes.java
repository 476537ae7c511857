package dev.percolate.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the content type that belongs to the extension of a file.
 *
 * <p>There are two tables. Files and answers use the names that the Express 3 line of frameworks
 * sends; the options of body parsers use those registered today. A few extensions differ, such as
 * {@code js}.
 */
public final class MimeTypes {
  private static final String UNKNOWN = "application/octet-stream";
  private static final Map<String, String> SENT = load("sent.types");
  private static final Map<String, String> RECEIVED = new HashMap<>(SENT);

  static {
    RECEIVED.putAll(load("received.types"));
  }

  private MimeTypes() {}

  /**
   * Finds the type to send for a file or a short name such as {@code html}.
   *
   * @param path a path, a file's name or an extension, in any letter case
   * @return the type without charset; {@code application/octet-stream} when it is not known
   */
  public static String ofPath(String path) {
    int cut = Math.max(path.lastIndexOf('.'), path.lastIndexOf('/'));
    cut = Math.max(cut, path.lastIndexOf('\\'));
    String extension = path.substring(cut + 1).toLowerCase(Locale.ROOT);
    return SENT.getOrDefault(extension, UNKNOWN);
  }

  /**
   * Finds the type that a body parser means by an extension.
   *
   * @param name an extension, or a name with one, in any letter case
   * @return the type without charset, or null when it is not known
   */
  public static @Nullable String ofExtension(String name) {
    return RECEIVED.get(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
  }

  private static Map<String, String> load(String resource) {
    Map<String, String> types = new HashMap<>();
    try (InputStream in = MimeTypes.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("resource " + resource + " is missing");
      }
      InputStreamReader characters = new InputStreamReader(in, StandardCharsets.UTF_8);
      BufferedReader lines = new BufferedReader(characters);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        List<String> words = ListText.split(line, ' ');
        for (String extension : words.subList(1, words.size())) {
          types.put(extension, words.get(0));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return types;
  }
}
