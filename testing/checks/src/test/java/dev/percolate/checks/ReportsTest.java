package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that each test named in {@code docs/reports.md} exists. */
final class ReportsTest {

  /** A number without a repository belongs to the repository before it. */
  private static final Pattern REPORT = Pattern.compile("([\\w.-]+/[\\w.-]+|WebKit)?#(\\d+)");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern TEST = Pattern.compile("([\\w-]+)/(\\w+)(?:#(\\w+))?");
  private static final Pattern ANNOTATION = Pattern.compile("@(?:\\w*Test|TestFactory)\\b");

  /** The cells of one row: its reports, and the tests that it names. */
  private record Row(String reports, String tests) {}

  @Test
  void eachTestThatARowNamesExists() throws IOException {
    List<Row> rows = rows();
    assertTrue(rows.size() >= 131, "reports.md has " + rows.size() + " rows");
    List<String> missing = new ArrayList<>();
    for (Row row : rows) {
      List<String> tests = CODE.matcher(row.tests).results().map(test -> test.group(1)).toList();
      if (tests.isEmpty()) {
        missing.add("any test for " + row.reports);
      }
      for (String test : tests) {
        if (!exists(test)) {
          missing.add(test);
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void eachReportIsListedOnce() throws IOException {
    Set<String> seen = new HashSet<>();
    for (Row row : rows()) {
      String repository = "";
      for (String report : row.reports.split(", ", -1)) {
        Matcher parts = REPORT.matcher(report);
        assertTrue(parts.matches(), () -> report + " is not repository#number");
        String named = parts.group(1);
        repository = named == null ? repository : named;
        assertFalse(repository.isEmpty(), () -> report + " has no repository before it");
        String name = repository + "#" + parts.group(2);
        assertTrue(seen.add(name), () -> name + " is listed twice");
      }
    }
  }

  @Test
  void missingTestsAreFound() throws IOException {
    assertTrue(exists("checks/ReportsTest"));
    assertTrue(exists("checks/ReportsTest#missingTestsAreFound"));
    for (String missing :
        List.of(
            "ReportsTest",
            "http/ReportsTest",
            "checks/ReportsTest#missing",
            "checks/ReportsTest#exists",
            "checks/ReportsTest.missingTestsAreFound")) {
      assertFalse(exists(missing), missing);
    }
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(Modules.ROOT.resolve("docs/reports.md"))) {
      String[] cells = line.split("\\|", -1);
      if (line.startsWith("| ") && !line.startsWith("| reports |")) {
        assertEquals(6, cells.length, line);
        rows.add(new Row(cells[1].strip(), cells[4].strip()));
      }
    }
    return rows;
  }

  /** Returns true if a test exists that is written as {@code module/Class#method}. */
  private static boolean exists(String test) throws IOException {
    Matcher parts = TEST.matcher(test);
    if (!parts.matches()) {
      return false;
    }
    Path sources = Modules.folder(parts.group(1)).resolve("src");
    if (!Files.isDirectory(sources)) {
      return false;
    }
    String file = parts.group(2) + ".java";
    String method = parts.group(3);
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path path : files.filter(path -> path.endsWith(file)).toList()) {
        if (method == null || declares(Files.readString(path), method)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns true if the source declares the method with a test annotation. */
  private static boolean declares(String source, String method) {
    Matcher declaration =
        Pattern.compile("^ +[\\w ]*\\bvoid " + method + "\\(", Pattern.MULTILINE).matcher(source);
    while (declaration.find()) {
      String before = source.substring(0, declaration.start());
      if (ANNOTATION.matcher(before.substring(before.lastIndexOf("\n\n") + 1)).find()) {
        return true;
      }
    }
    return false;
  }
}
