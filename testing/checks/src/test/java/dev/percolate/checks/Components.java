package dev.percolate.checks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the strongly connected components of a graph with Tarjan's algorithm. */
final class Components {
  private final Map<String, Set<String>> graph;
  private final Map<String, Integer> order = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final Set<String> closed = new HashSet<>();
  private final List<List<String>> found = new ArrayList<>();

  private Components(Map<String, Set<String>> graph) {
    this.graph = graph;
  }

  /**
   * Returns the components with at least two nodes, each sorted.
   *
   * @param graph the successors of each node; each successor must be a key
   */
  static List<List<String>> of(Map<String, Set<String>> graph) {
    Components components = new Components(graph);
    for (String node : graph.keySet()) {
      if (!components.order.containsKey(node)) {
        components.visit(node);
      }
    }
    return components.found;
  }

  /** Returns the number of the earliest open node that can be reached from this one. */
  private int visit(String node) {
    int number = order.size();
    order.put(node, number);
    open.push(node);
    int earliest = number;
    for (String next : graph.get(node)) {
      if (!order.containsKey(next)) {
        earliest = Math.min(earliest, visit(next));
      } else if (!closed.contains(next)) {
        earliest = Math.min(earliest, order.get(next));
      }
    }
    if (earliest == number) {
      close(node);
    }
    return earliest;
  }

  private void close(String root) {
    List<String> component = new ArrayList<>();
    String node;
    do {
      node = open.pop();
      component.add(node);
    } while (!node.equals(root));
    closed.addAll(component);
    if (component.size() > 1) {
      found.add(component.stream().sorted().toList());
    }
  }
}
