package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares {@code docs/security/rows.tsv} with the tests: each attack is tested by the listed
 * classes, which contain its id. "As recorded" marks behaviour of the original libraries that is
 * kept although it is less strict; {@code docs/decisions} has the reasons.
 */
final class SecurityRowsTest {

  private static final PathMatcher SOURCES =
      FileSystems.getDefault()
          .getPathMatcher("glob:{*/*/src/test/java/**Test.java,*/*/src/test/resources/**Test.txt}");
  private static final Pattern ID =
      Pattern.compile("\\b(?:ENG|REQ|RTE|STA|DL|VW|RES|CK|WS|DOS|DEV|LIFE)-\\d\\d\\b");

  @Test
  void eachRowIsTestedByTheListedClasses() throws IOException {
    Map<String, Set<String>> table = table();
    assertTrue(table.size() >= 140, table::toString);
    Map<String, Set<String>> tests = tests();
    table.values().removeIf(Set::isEmpty);
    assertEquals(text(table), text(tests));
  }

  /** Reads the classes that test each row; none for rows that cannot be tested. */
  private static Map<String, Set<String>> table() throws IOException {
    Map<String, Set<String>> rows = new TreeMap<>();
    for (String line : Files.readAllLines(Modules.ROOT.resolve("docs/security/rows.tsv"))) {
      String[] cells = line.split("\t", -1);
      if (ID.matcher(cells[1]).matches()) {
        Set<String> classes = new TreeSet<>(List.of(cells[4].split(", ")));
        classes.remove("-");
        rows.put(cells[1], classes);
      }
    }
    return rows;
  }

  private static Map<String, Set<String>> tests() throws IOException {
    Map<String, Set<String>> rows = new TreeMap<>();
    for (Path file : sources()) {
      Matcher id = ID.matcher(Files.readString(file));
      String name = file.getFileName().toString().replaceAll("\\.(java|txt)$", "");
      while (id.find()) {
        rows.computeIfAbsent(id.group(), row -> new TreeSet<>()).add(name);
      }
    }
    return rows;
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Modules.ROOT)) {
      return files.filter(file -> SOURCES.matches(Modules.ROOT.relativize(file))).toList();
    }
  }

  private static String text(Map<String, Set<String>> rows) {
    StringBuilder text = new StringBuilder();
    rows.forEach((row, classes) -> text.append(row).append(' ').append(classes).append('\n'));
    return text.toString();
  }
}
