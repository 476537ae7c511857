package dev.percolate.framework;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.http.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A snapshot of all layers of an application in order, including those of mounted applications; see
 * {@link App#map}.
 *
 * <pre>
 *   use /           RequestLogger at Shop.java:12
 *   get /           lambda of Shop at Shop.java:13
 *   use /admin      App at Shop.java:20
 *     get /admin/users   lambda of Admin at Admin.java:9
 * </pre>
 */
public final class AppMap {

  private final List<Entry> entries;

  private AppMap(List<Entry> entries) {
    this.entries = entries;
  }

  /**
   * A layer.
   *
   * @param kind {@code use}, or the verb of a route in lower case; {@code all} for all verbs
   * @param path the full path, including mount paths
   * @param steps the class names of its middleware and handlers, in order
   * @param origin the source line of its definition, such as {@code Main.java:31}
   * @param errors whether it only handles errors
   * @param inner the layers of an application that is mounted there, or the routes of a router
   */
  public record Entry(
      String kind,
      String path,
      List<String> steps,
      String origin,
      boolean errors,
      List<Entry> inner) {

    private Map<String, Object> value() {
      Map<String, Object> value = new LinkedHashMap<>();
      value.put("kind", kind);
      value.put("path", path);
      value.put("steps", steps);
      value.put("origin", origin);
      value.put("errors", errors);
      value.put("inner", inner.stream().map(Entry::value).toList());
      return value;
    }
  }

  static AppMap of(Stack.Layers layers, InnerLayers inside) {
    return new AppMap(entries(layers, inside, ""));
  }

  /** Returns the layers in order. */
  public List<Entry> entries() {
    return entries;
  }

  /** Returns the layers as maps and lists, with the structure of {@link #json}. */
  public List<Map<String, Object>> value() {
    return entries.stream().map(Entry::value).toList();
  }

  /** Returns the layers as JSON: a list of objects with the property names of {@link Entry}. */
  public String json() {
    return JsonText.of(value());
  }

  /** Returns one line for each layer; the layers of mounted applications are indented. */
  @Override
  public String toString() {
    return text(true);
  }

  /**
   * Returns the lines of {@link #toString} without source lines. A file with this text in the
   * repository shows which change adds, moves or removes a layer.
   */
  public String outline() {
    return text(false);
  }

  private String text(boolean origins) {
    StringBuilder out = new StringBuilder();
    append(entries, "", origins, out);
    return out.toString();
  }

  /**
   * Returns a readable name of a middleware: its class name, or for a lambda the name of the
   * enclosing class.
   *
   * @param step the class of the middleware
   */
  public static String name(Class<?> step) {
    if (step == RouterPosition.class) {
      return "router";
    }
    String name = step.getName();
    String simple = name.substring(name.lastIndexOf('.', nameEnd(name)) + 1);
    int lambda = simple.indexOf("$$Lambda");
    return lambda < 0 ? simple : "lambda of " + simple.substring(0, lambda);
  }

  /** Returns the end index of a class name; the name of a lambda continues with its address. */
  private static int nameEnd(String name) {
    int slash = name.indexOf('/');
    return slash < 0 ? name.length() : slash;
  }

  private static List<Entry> entries(Stack.Layers layers, InnerLayers inside, String prefix) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < layers.size(); i++) {
      Layer layer = layers.get(i);
      if (layer instanceof Mount mount) {
        entries.add(entry(mount, inside, prefix));
      } else if (layer instanceof RouteLayer route) {
        entries.add(entry(route, prefix));
      }
    }
    return List.copyOf(entries);
  }

  private static Entry entry(Mount mount, InnerLayers inside, String prefix) {
    String path = prefix + mount.prefix();
    InnerLayers.Inner inner = inside.of(mount.step());
    List<Entry> entries = inner == null ? List.of() : entries(inner.layers(), inside, path);
    return new Entry(
        "use",
        path.isEmpty() ? "/" : path,
        List.of(name(mount.step().getClass())),
        mount.origin(),
        mount.takesErrors(),
        entries);
  }

  private static Entry entry(RouteLayer route, String prefix) {
    List<Middleware> steps = Chain.flat(route.steps());
    return new Entry(
        route.verb(),
        prefix + route.path(),
        steps.stream().map(step -> name(step.getClass())).toList(),
        route.origin(),
        !steps.isEmpty() && steps.stream().allMatch(ErrorHandler.class::isInstance),
        List.of());
  }

  private static void append(
      List<Entry> entries, String indent, boolean origins, StringBuilder out) {
    for (Entry entry : entries) {
      out.append(indent)
          .append("%-7s %-24s ".formatted(entry.kind, entry.path))
          .append(String.join(", ", entry.steps))
          .append(entry.errors ? " (errors)" : "")
          .append(origins ? " at " + entry.origin : "")
          .append('\n');
      append(entry.inner, indent + "  ", origins, out);
    }
  }
}
