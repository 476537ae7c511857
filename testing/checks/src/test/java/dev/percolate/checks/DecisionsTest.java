package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that each decision record has a number, a status, and a row in the index. */
final class DecisionsTest {
  private static final Path FOLDER = Modules.ROOT.resolve("docs/decisions");
  private static final Pattern RECORD =
      Pattern.compile("# (\\d+)\\. (.+)\n\n\\*\\*Status\\.\\*\\* (?:Accepted|Replaced by)\\b");

  @Test
  void recordsHaveANumberAStatusAndARowInTheIndex() throws IOException {
    List<String> index = Files.readAllLines(FOLDER.resolve("README.md"));
    List<Path> records = records();
    assertTrue(records.size() >= 70, records::toString);
    for (Path record : records) {
      String name = record.getFileName().toString();
      var found = RECORD.matcher(Files.readString(record));
      assertTrue(found.lookingAt(), name);
      int number = Integer.parseInt(found.group(1));
      assertEquals(name.substring(0, 4), "%04d".formatted(number), name);
      String row = "| " + number + " | [" + found.group(2) + "](" + name + ") |";
      assertTrue(index.stream().anyMatch(line -> line.startsWith(row)), row);
    }
  }

  private static List<Path> records() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> !file.endsWith("README.md")).sorted().toList();
    }
  }
}
