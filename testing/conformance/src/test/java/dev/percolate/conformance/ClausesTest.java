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

/**
 * Checks {@code clauses.tsv}, the specification clause by clause: a clause that no scenario can
 * show has a test, whose name begins with the id of the clause.
 */
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
      if (!clause.test.equals("-") && tests.indexOf("(\"" + clause.id + ": ") < 0) {
        missing.add(clause.id + ": " + clause.test);
      }
    }
    assertEquals(List.of(), missing);
  }

  private static List<Clause> clauses() throws IOException {
    List<Clause> clauses = new ArrayList<>();
    List<String> lines = Files.readAllLines(Path.of("clauses.tsv"));
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split("\t", -1);
      clauses.add(new Clause(cells[0], cells[3]));
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
