package dev.percolate.inspector.reload;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An error in a source file.
 *
 * @param file the file; null if the compiler did not name one
 * @param line the line number; 0 if unknown
 * @param column the column; 0 if unknown
 * @param message the message of the compiler, possibly of several lines
 */
public record SourceError(@Nullable Path file, int line, int column, String message) {

  /** Returns the path of the file, relative to the working folder if it is in it. */
  public String name() {
    if (file == null) {
      return "compiler";
    }
    Path folder = Path.of("").toAbsolutePath();
    return (file.startsWith(folder) ? folder.relativize(file) : file).toString();
  }

  /** Returns the file and line, such as {@code src/main/java/com/example/Main.java:12}. */
  public String place() {
    return name() + (line > 0 ? ":" + line : "");
  }

  @Override
  public String toString() {
    return place() + ": " + message;
  }
}
