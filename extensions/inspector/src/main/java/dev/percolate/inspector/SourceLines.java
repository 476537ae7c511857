package dev.percolate.inspector;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the source lines around a stack frame, in the working directory of the process. */
final class SourceLines {

  private static final int AROUND = 3;
  private static final long LONGEST = 1 << 20;
  private static final List<String> ROOTS =
      List.of("src/main/java", "src/test/java", "src/main/kotlin", "src/test/kotlin", "src", "");

  private SourceLines() {}

  /**
   * A source line.
   *
   * @param number the line number
   * @param text the text
   * @param here true if it is the line of the frame
   */
  record Line(int number, String text, boolean here) {}

  /** Returns the lines around a frame; empty if the file is not found. */
  static List<Line> of(StackTraceElement frame) {
    Path file = file(frame);
    return file == null ? List.of() : of(file, frame.getLineNumber());
  }

  /** Returns the lines around a line of a file; empty if it does not exist. */
  static List<Line> of(Path file, int line) {
    if (line <= 0) {
      return List.of();
    }
    try {
      List<String> all = Files.readAllLines(file, StandardCharsets.UTF_8);
      List<Line> lines = new ArrayList<>();
      int last = Math.min(all.size(), line + AROUND);
      for (int n = Math.max(1, line - AROUND); n <= last; n++) {
        lines.add(new Line(n, ShortText.cut(all.get(n - 1)), n == line));
      }
      return lines.stream().anyMatch(Line::here) ? lines : List.of();
    } catch (IOException e) {
      return List.of(); // not a text file, or deleted meanwhile
    }
  }

  private static @Nullable Path file(StackTraceElement frame) {
    String name = frame.getFileName();
    if (name == null || !name.matches("[\\w$-]+\\.\\w+")) {
      return null;
    }
    int dot = frame.getClassName().lastIndexOf('.');
    String folder = dot < 0 ? "" : frame.getClassName().substring(0, dot).replace('.', '/') + "/";
    Path start = Path.of("").toAbsolutePath();
    Path found = below(start, folder + name);
    if (found != null) {
      return found;
    }
    try (Stream<Path> modules = Files.list(start)) {
      return modules
          .filter(Files::isDirectory)
          .map(module -> below(module, folder + name))
          .filter(file -> file != null)
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      return null;
    }
  }

  private static @Nullable Path below(Path module, String name) {
    for (String root : ROOTS) {
      Path file = module.resolve(root).resolve(name);
      if (Files.isRegularFile(file) && file.toFile().length() <= LONGEST) {
        return file;
      }
    }
    return null;
  }
}
