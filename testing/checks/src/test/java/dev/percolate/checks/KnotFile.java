package dev.percolate.checks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The list of known knots, with a line of module, size and classes for each. */
final class KnotFile {
  static final String COMMAND =
      "mvn -pl :percolate-checks -am test -Dtest=KnotsTest -Dknots.update=true"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  private static final String TITLE =
      """
      # Classes of one module that all depend on each other: module, number, names. This list only shrinks.
      # Written by %s
      """
          .formatted(COMMAND);

  private final Path path;

  KnotFile(Path path) {
    this.path = path;
  }

  static String text(List<Knot> knots) {
    StringBuilder text = new StringBuilder(TITLE);
    knots.forEach(knot -> text.append(knot).append('\n'));
    return text.toString();
  }

  String text() throws IOException {
    return Files.exists(path) ? Files.readString(path) : "";
  }

  List<Knot> knots() throws IOException {
    return text().lines().filter(line -> !line.startsWith("#")).map(Knot::of).toList();
  }

  /**
   * Writes the list.
   *
   * @throws IllegalStateException if a knot has grown and {@code mayGrow} is false
   */
  void write(List<Knot> found, boolean mayGrow) throws IOException {
    List<String> grown = KnotChanges.between(knots(), found).grown();
    if (!grown.isEmpty() && !mayGrow) {
      throw new IllegalStateException(
          path + " was not written, because knots have grown (-Dknots.grow=true): " + grown);
    }
    Files.writeString(path, text(found));
  }
}
