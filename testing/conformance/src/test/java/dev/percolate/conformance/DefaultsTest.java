package dev.percolate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Compares the scenarios that differ with our own defaults with the list and with the page. */
@DisabledIfSystemProperty(
    named = "percolate.play",
    matches = "memory",
    disabledReason = "this JDK plays only in memory")
final class DefaultsTest {

  private static final Path LIST = Path.of("differs-defaults.txt");
  private static final Path PAGE = Path.of("../../docs/defaults.md");

  /** A row of the page: code that changes a setting, and the number of scenarios that need it. */
  private static final Pattern ROW =
      Pattern.compile("\\|[^|]*\\|[^|]*\\|[^|]*\\| `app\\.\\w+\\(\"([^\"]+)\".*\\| (\\d+) \\|");

  private static Defaults played;

  @BeforeAll
  static void play() throws IOException, InterruptedException {
    List<Scenario> scenarios = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("cases"))) {
      for (Path file : files.filter(one -> one.toString().endsWith(".json")).sorted().toList()) {
        scenarios.addAll(Scenario.read(file));
      }
    }
    try (Player player = new Player(new MemoryCalls())) {
      played = Defaults.of(player, scenarios);
    }
  }

  @Test
  void exactlyTheListedScenariosDifferWithOurDefaults() throws IOException {
    List<String> listed =
        Files.readAllLines(LIST).stream().filter(line -> !line.startsWith("#")).sorted().toList();
    assertEquals(
        listed, played.differing().stream().map(Defaults.Differing::line).sorted().toList());
  }

  @Test
  void thePageHasEachSettingWithTheNumberOfScenariosThatNeedIt() throws IOException {
    Map<String, Integer> rows = new TreeMap<>();
    for (String line : Files.readAllLines(PAGE)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        rows.merge(row.group(1), Integer.valueOf(row.group(2)), Integer::sum);
      }
    }
    assertEquals(played.counts(), rows);
  }
}
