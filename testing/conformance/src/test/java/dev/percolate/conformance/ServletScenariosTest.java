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
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Plays the scenarios of all areas in a servlet container. */
final class ServletScenariosTest {

  @Test
  @DisabledIfSystemProperty(named = "percolate.again", matches = "true")
  void onlyListedScenariosDifferInAContainer() throws Exception {
    Listed everywhere = Listed.read(Path.of("differs.txt"));
    Listed here = Listed.read(Path.of("differs-servlet.txt"));
    List<String> differing = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    List<String> told = new ArrayList<>();
    try (Player player = new Player(Engines.transport("servlet"))) {
      for (Path area : areas()) {
        for (Scenario scenario : Scenario.read(area)) {
          String id = scenario.id();
          Result result = player.play(scenario);
          if (!result.agrees()) {
            differing.add(id);
            told.add(id + ": " + result.difference());
          }
          if (here.ids().contains(id) || everywhere.contains(id, false)) {
            expected.add(id);
          }
        }
      }
    }
    assertEquals(expected, differing, () -> String.join("\n", told));
    assertTrue(expected.containsAll(here.ids()), () -> "listed, but not played: " + here.ids());
    assertEquals(here.ids().stream().sorted().toList(), here.ids());
  }

  private static List<Path> areas() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("cases"))) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }
}
