package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class ComponentsTest {

  @Test
  void anAcyclicGraphHasNoComponents() {
    assertEquals(Set.of(), components("a b, b c, a c, d c"));
  }

  @Test
  void aNodeWithAnEdgeToItselfIsNoComponent() {
    assertEquals(Set.of(), components("a a, a b"));
  }

  @Test
  void twoNodesWithEdgesToEachOtherAreAComponent() {
    assertEquals(Set.of(List.of("b", "c")), components("a b, b c, c b, c d"));
  }

  @Test
  void aLongCycleIsAComponent() {
    assertEquals(Set.of(List.of("a", "b", "c", "d")), components("a b, b c, c d, d a"));
  }

  @Test
  void cyclesThatShareANodeAreOneComponent() {
    assertEquals(Set.of(List.of("a", "b", "c")), components("a b, b a, b c, c b"));
  }

  @Test
  void cyclesConnectedInOneDirectionAreTwoComponents() {
    assertEquals(
        Set.of(List.of("a", "b"), List.of("c", "d")), components("a b, b a, b c, c d, d c"));
  }

  @Test
  void componentsAreTheNodesThatReachEachOther() {
    Random random = new Random(1);
    int circles = 0;
    for (int round = 0; round < 500; round++) {
      Map<String, Set<String>> graph = new TreeMap<>();
      int nodes = 2 + random.nextInt(9);
      for (int node = 0; node < nodes; node++) {
        graph.put("n" + node, new TreeSet<>());
      }
      for (int arrow = random.nextInt(2 * nodes); arrow > 0; arrow--) {
        graph.get("n" + random.nextInt(nodes)).add("n" + random.nextInt(nodes));
      }
      Set<List<String>> expected = mutuallyReachable(graph);
      circles += expected.size();
      assertEquals(expected, Set.copyOf(Components.of(graph)), graph::toString);
    }
    assertTrue(circles > 100);
  }

  private static Set<List<String>> mutuallyReachable(Map<String, Set<String>> graph) {
    Map<String, Set<String>> reached = new TreeMap<>();
    graph
        .keySet()
        .forEach(node -> reach(graph, node, reached.computeIfAbsent(node, k -> new TreeSet<>())));
    return graph.keySet().stream()
        .map(
            node ->
                graph.keySet().stream()
                    .filter(
                        other ->
                            other.equals(node)
                                || (reached.get(node).contains(other)
                                    && reached.get(other).contains(node)))
                    .toList())
        .filter(component -> component.size() > 1)
        .collect(Collectors.toSet());
  }

  private static void reach(Map<String, Set<String>> graph, String node, Set<String> reached) {
    for (String next : graph.get(node)) {
      if (reached.add(next)) {
        reach(graph, next, reached);
      }
    }
  }

  /** Creates a graph from edges such as {@code "a b, b c"}, and returns its components. */
  private static Set<List<String>> components(String arrows) {
    Map<String, Set<String>> graph = new TreeMap<>();
    for (String arrow : arrows.split(", ", -1)) {
      String[] nodes = arrow.split(" ", -1);
      graph.computeIfAbsent(nodes[0], node -> new TreeSet<>()).add(nodes[1]);
      graph.computeIfAbsent(nodes[1], node -> new TreeSet<>());
    }
    return Set.copyOf(Components.of(graph));
  }
}
