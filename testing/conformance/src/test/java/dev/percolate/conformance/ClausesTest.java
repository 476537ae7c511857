package dev.percolate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that {@code clauses.md} names existing scenarios and that its tests exist. */
final class ClausesTest {

  private record Clause(String id, String test) {}

  @Test
  void eachClauseWithoutAScenarioHasATest() throws IOException {
    StringBuilder tests = new StringBuilder();
    for (Path file : files(Path.of("../.."), "ClausesTest.java")) {
      tests.append(Files.readString(file));
    }
    List<String> missing = new ArrayList<>();
    for (Clause clause : clauses()) {
      if (!clause.test.isEmpty() && tests.indexOf("(\"" + clause.id + ": ") < 0) {
        missing.add(clause.id + ": " + clause.test);
      }
    }
    assertEquals(List.of(), missing);
  }

  private static List<Clause> clauses() throws IOException {
    List<Clause> clauses = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("clauses.md"))) {
      String[] cells = line.split("\\|", -1);
      if (cells.length == 6 && Character.isDigit(line.charAt(2))) {
        clauses.add(new Clause(cells[1].strip(), cells[4].strip()));
      } else if (line.matches("- \\d\\S*: .*")) {
        clauses.add(new Clause(line.substring(2, line.indexOf(':')), ""));
      }
    }
    assertTrue(clauses.size() >= 243, clauses::toString);
    return clauses;
  }

  private static List<Path> files(Path below, String end) throws IOException {
    try (Stream<Path> files = Files.walk(below)) {
      return files.filter(file -> file.toString().endsWith(end)).toList();
    }
  }
}
