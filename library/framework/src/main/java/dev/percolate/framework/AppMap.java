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
 * Shows all layers of an application in their order, those of mounted applications inside of them;
 * see {@link App#map}. It is what there was when it was made.
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
   * One layer.
   *
   * @param kind {@code use}, or the verb of a route in lower case, {@code all} for every one
   * @param path where it stands, from the root on
   * @param steps what runs there, in order: the names of classes
   * @param origin the file and line where it was defined, such as {@code Main.java:31}
   * @param errors whether it takes errors only
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

  /** Returns the layers, in order. */
  public List<Entry> entries() {
    return entries;
  }

  /** Returns the layers as a list of maps and lists, as they stand in {@link #json}. */
  public List<Map<String, Object>> value() {
    return entries.stream().map(Entry::value).toList();
  }

  /** Returns the layers as JSON: a list of objects with the names of {@link Entry}. */
  public String json() {
    return JsonText.of(value());
  }

  /** Returns a line for each layer, those inside of others indented. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    append(entries, "", out);
    return out.toString();
  }

  /**
   * Returns what a step is, for people: the name of its class, of a lambda that of the class it
   * stands in.
   *
   * @param step the class of the step
   */
  public static String name(Class<?> step) {
    if (step == RouterPlace.class) {
      return "router";
    }
    String name = step.getName();
    String simple = name.substring(name.lastIndexOf('.', nameEnd(name)) + 1);
    int lambda = simple.indexOf("$$Lambda");
    return lambda < 0 ? simple : "lambda of " + simple.substring(0, lambda);
  }

  /** Returns where the name of a class ends; behind it a lambda has its address. */
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
    Stack.Layers layers = inside.of(mount.step());
    List<Entry> inner = layers == null ? List.of() : entries(layers, inside, path);
    return new Entry(
        "use",
        path.isEmpty() ? "/" : path,
        List.of(name(mount.step().getClass())),
        mount.origin(),
        mount.takesErrors(),
        inner);
  }

  private static Entry entry(RouteLayer route, String prefix) {
    List<Middleware> steps = Chain.flat(route.steps());
    return new Entry(
        route.verb(),
        prefix + route.pattern(),
        steps.stream().map(step -> name(step.getClass())).toList(),
        route.origin(),
        !steps.isEmpty() && steps.stream().allMatch(ErrorHandler.class::isInstance),
        List.of());
  }

  private static void append(List<Entry> entries, String indent, StringBuilder out) {
    for (Entry entry : entries) {
      out.append(indent)
          .append("%-7s %-24s ".formatted(entry.kind, entry.path))
          .append(String.join(", ", entry.steps))
          .append(entry.errors ? " (errors)" : "")
          .append(" at ")
          .append(entry.origin)
          .append('\n');
      append(entry.inner, indent + "  ", out);
    }
  }
}
