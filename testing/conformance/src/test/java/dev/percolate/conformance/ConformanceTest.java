package dev.percolate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Plays all recorded scenarios over sockets on the nio engine, or in memory if {@code
 * percolate.play} is {@code memory}.
 *
 * <p>{@code differs.txt} lists the scenarios that differ. All others must agree.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConformanceTest {

  private static final Path CASES = Path.of("cases");
  private static final Path DIFFERS = Path.of("differs.txt");

  private final boolean inMemory = "memory".equals(System.getProperty("percolate.play"));
  private final TreeMap<String, List<Scenario>> areas = new TreeMap<>();
  private Listed listed = new Listed(List.of());
  private final Map<String, Player> players = new LinkedHashMap<>();

  @BeforeAll
  void start() throws IOException {
    listed = Listed.read(DIFFERS);
    try (Stream<Path> files = Files.list(CASES)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".json")).sorted().toList()) {
        for (Scenario scenario : Scenario.read(file)) {
          areas.computeIfAbsent(scenario.area(), area -> new ArrayList<>()).add(scenario);
        }
      }
    }
    if (inMemory) {
      players.put("memory", new Player(new MemoryCalls()));
    } else {
      players.put("nio", new Player(Engines.transport("nio")));
    }
  }

  @AfterAll
  void stop() {
    players.values().forEach(Player::close);
  }

  @TestFactory
  Stream<DynamicTest> scenariosAgreeWithTheRecordings() {
    return players.entrySet().stream()
        .flatMap(player -> areas.keySet().stream().map(area -> test(player, area)));
  }

  private DynamicTest test(Map.Entry<String, Player> player, String area) {
    return dynamicTest(
        area + ", " + player.getKey(), () -> assertAgree(areas.get(area), player.getValue()));
  }

  @Test
  void onlyKnownScenariosAreListedAndInOrder() {
    Set<String> known = new HashSet<>();
    areas.values().forEach(all -> all.forEach(one -> known.add(one.id())));
    List<String> ids = listed.ids();
    assertEquals(ids.stream().sorted().distinct().toList(), ids);
    assertEquals(List.of(), ids.stream().filter(id -> !known.contains(id)).toList());
    assertTrue(known.size() >= 1_172, () -> known.size() + " scenarios");
  }

  private void assertAgree(List<Scenario> scenarios, Player player)
      throws IOException, InterruptedException {
    List<String> wrong = new ArrayList<>();
    for (Scenario scenario : scenarios) {
      boolean differs = listed.contains(scenario.id(), inMemory);
      Result result = player.play(scenario);
      if (result.difference() != null && !differs) {
        wrong.add("differs " + scenario.id() + ": " + Comparison.line(result.difference()));
      } else if (result.agrees() && differs) {
        wrong.add("agrees, but " + DIFFERS + " lists " + scenario.id());
      }
    }
    assertEquals(List.of(), wrong, () -> "\n" + String.join("\n", wrong));
  }
}
