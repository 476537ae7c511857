package dev.percolate.openapi;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The paths of a document with their operations. OpenAPI forbids paths that differ only in the
 * names of parameters, so such routes share the first of these paths, unless it has the same verb.
 */
final class PathItems {

  private final Map<String, Map<String, Object>> items = new LinkedHashMap<>();

  /** The first path of each form. */
  private final Map<String, PathTemplate> paths = new HashMap<>();

  /** Returns the operations by path and verb. */
  Map<String, Map<String, Object>> items() {
    return items;
  }

  /**
   * Adds the operation of a route, unless an earlier route has the same path and verb.
   *
   * @param route the route
   * @param writer writes the operation
   * @return true if it was added
   */
  boolean add(RouteWalk.Found route, Function<RouteWalk.Found, Map<String, Object>> writer) {
    PathTemplate own = route.path();
    PathTemplate first = paths.computeIfAbsent(own.form(), form -> own);
    boolean shared =
        first.patterns().size() == own.patterns().size()
            && !items.getOrDefault(first.text(), Map.of()).containsKey(route.verb());
    PathTemplate path = shared ? first : own;
    Map<String, Object> verbs = items.computeIfAbsent(path.text(), text -> new LinkedHashMap<>());
    if (verbs.containsKey(route.verb())) {
      return false;
    }
    Map<String, Object> operation = writer.apply(route);
    rename(operation, own, path);
    verbs.put(route.verb(), operation);
    return true;
  }

  /** Renames the path parameters of an operation to those of another path. */
  @SuppressWarnings("unchecked") // created by InputWriter
  private static void rename(Map<String, Object> operation, PathTemplate from, PathTemplate to) {
    List<String> names = List.copyOf(from.patterns().keySet());
    List<String> others = List.copyOf(to.patterns().keySet());
    List<?> parameters = operation.get("parameters") instanceof List<?> all ? all : List.of();
    for (Object one : parameters) {
      Map<String, Object> parameter = (Map<String, Object>) one;
      if ("path".equals(parameter.get("in"))) {
        parameter.computeIfPresent(
            "name", (key, name) -> others.get(names.indexOf(String.valueOf(name))));
      }
    }
  }
}
