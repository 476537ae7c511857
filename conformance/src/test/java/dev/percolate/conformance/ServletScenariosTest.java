package dev.percolate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Plays what loggers and parsers do in a servlet container. */
final class ServletScenariosTest {

  private static final List<String> AREAS =
      List.of(
          "logger",
          "parsers-json",
          "parsers-raw",
          "parsers-text",
          "parsers-urlencoded",
          "decided",
          "spec");

  @Test
  @DisabledIfSystemProperty(named = "percolate.again", matches = "true")
  void scenariosAgreeButForWhatAContainerCannotDo() throws Exception {
    Listed everywhere = Listed.read(Path.of("differs.txt"));
    Listed here = Listed.read(Path.of("differs-servlet.txt"));
    List<String> differing = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    List<String> told = new ArrayList<>();
    try (Player player = new Player(Engines.transport("servlet"))) {
      for (String area : AREAS) {
        for (Scenario scenario : Scenario.read(Path.of("cases", area + ".json"))) {
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
}
