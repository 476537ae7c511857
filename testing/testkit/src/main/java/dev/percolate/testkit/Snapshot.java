package dev.percolate.testkit;

import dev.percolate.core.JsonCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Compares text with a file in the repository (snapshot testing). A change then fails the build
 * until the file is written again, and its diff is part of the review.
 *
 * <pre>
 *   Snapshot.check(Path.of("src/test/routes.txt"), app.map().outline());
 *   Snapshot.checkJson(Path.of("src/test/openapi.json"), OpenApi.of(app).document());
 * </pre>
 *
 * <p>With {@code -Dsnapshot.update=true}, tests write their files instead.
 */
public final class Snapshot {

  private static final String PROPERTY = "snapshot.update";
  private static final JsonCodec.WriteOptions INDENTED =
      new JsonCodec.WriteOptions("  ", null, null);

  private Snapshot() {}

  /**
   * Compares a text with a file.
   *
   * @param file the file, in UTF-8; line endings are not compared
   * @param text the text
   * @throws AssertionError if the file does not exist or differs; the message shows the first
   *     difference
   */
  public static void check(Path file, String text) {
    try {
      if (Boolean.getBoolean(PROPERTY)) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
          Files.createDirectories(folder);
        }
        Files.writeString(file, text);
      }
      if (!Files.exists(file)) {
        throw new AssertionError(file + " does not exist; -D" + PROPERTY + "=true writes it");
      }
      List<String> known = Files.readString(file).lines().toList();
      List<String> now = text.lines().toList();
      if (!known.equals(now)) {
        throw new AssertionError(difference(file, known, now));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Compares a value with a JSON file.
   *
   * @param file the file
   * @param value maps, lists and plain values, such as an OpenAPI document
   * @throws AssertionError if the file does not exist or differs; the message shows the first
   *     difference
   */
  public static void checkJson(Path file, Object value) {
    check(file, JsonCodec.find().write(value, INDENTED) + "\n");
  }

  /** Describes the first difference. */
  private static String difference(Path file, List<String> known, List<String> now) {
    int shorter = Math.min(known.size(), now.size());
    int line = 0;
    while (line < shorter && line(known, line).equals(line(now, line))) {
      line++;
    }
    return "%s:%d differs; -D%s=true writes it\n- %s\n+ %s"
        .formatted(file, line + 1, PROPERTY, line(known, line), line(now, line));
  }

  private static String line(List<String> lines, int index) {
    return index < lines.size() ? lines.get(index) : "(end)";
  }
}
