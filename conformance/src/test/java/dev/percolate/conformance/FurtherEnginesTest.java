package dev.percolate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plays what loggers and parsers do on the engines beside the main one. */
final class FurtherEnginesTest {

  private static final List<String> AREAS =
      List.of(
          "logger",
          "parsers-json",
          "parsers-raw",
          "parsers-text",
          "parsers-urlencoded",
          "decided",
          "spec");

  @ParameterizedTest
  @DisabledIfSystemProperty(named = "percolate.again", matches = "true")
  @ValueSource(strings = {"jdk", "servlet"})
  void scenariosAgreeButForWhatTheEngineCannotDo(String engine) throws Exception {
    Listed everywhere = Listed.read(Path.of("differs.txt"));
    Listed here = Listed.read(Path.of("differs-" + engine + ".txt"));
    List<String> differing = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    List<String> told = new ArrayList<>();
    try (Player player = new Player(Engines.transport(engine))) {
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

  @Test
  void twoEnginesOnTheClassPathAreAnErrorThatNamesThem() {
    Exception error = assertThrows(IllegalStateException.class, Engine::find);
    String message = String.valueOf(error.getMessage());
    assertTrue(message.contains("dev.percolate.vertx.VertxEngine"), message);
    assertTrue(message.contains("dev.percolate.jdk.JdkEngine"), message);
  }
}
