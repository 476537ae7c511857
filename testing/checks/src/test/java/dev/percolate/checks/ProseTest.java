package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Searches Javadoc, messages and pages for phrases that are not plain English. The baseline {@code
 * prose.txt} lists the known ones and only shrinks: {@code -Dprose.update=true} writes it if there
 * are no others. To start with a new baseline, delete the file first.
 */
final class ProseTest {
  private static final Path BASELINE = Path.of("prose.txt");
  private static final String COMMAND =
      "mvn -pl :percolate-checks -am test -Dtest=ProseTest -Dprose.update=true"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  /** The texts of each entry: a file and a phrase. */
  private static final Map<String, List<String>> FOUND = new TreeMap<>();

  @BeforeAll
  static void findPhrases() throws IOException {
    for (Passage passage : Passages.all()) {
      for (Phrase phrase : Phrase.ALL) {
        if (phrase.isIn(passage)) {
          FOUND
              .computeIfAbsent(passage.path() + " " + phrase.name(), entry -> new ArrayList<>())
              .add(passage.text());
        }
      }
    }
  }

  @Test
  void phrasesOnlyBecomeFewer() throws IOException {
    boolean update = Boolean.getBoolean("prose.update");
    if (!update || Files.exists(BASELINE)) {
      assertEquals(List.of(), added(), "Use plain English instead of these phrases (see Phrase)");
    }
    if (update) {
      Files.writeString(BASELINE, text());
    }
    assertEquals(text(), baseline(), "Phrases are gone. Write checks/prose.txt: " + COMMAND);
  }

  /** Returns the texts of the entries that are not in the baseline, or not as often. */
  private static List<String> added() throws IOException {
    List<String> known = baseline().lines().toList();
    Map<String, Integer> counts = new TreeMap<>();
    for (String line : known) {
      int space = line.lastIndexOf(' ');
      counts.put(line.substring(0, space), Integer.valueOf(line.substring(space + 1)));
    }
    return FOUND.entrySet().stream()
        .filter(entry -> entry.getValue().size() > counts.getOrDefault(entry.getKey(), 0))
        .map(entry -> entry.getKey() + ": " + entry.getValue())
        .toList();
  }

  private static String text() {
    return FOUND.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue().size() + "\n")
        .collect(Collectors.joining());
  }

  private static String baseline() throws IOException {
    return Files.exists(BASELINE) ? Files.readString(BASELINE) : "";
  }
}
