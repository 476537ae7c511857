package dev.percolate.framework;

import dev.percolate.http.JsonText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says which layers of an application a request would meet, and why not the others; see {@link
 * App#explain}. No step runs for it, so whether one that matches answers or passes on it cannot
 * tell.
 *
 * <pre>
 *   GET /u/new
 *   - use /api at Shop.java:12: mount: the path is not below /api
 *   - post /u/new at Shop.java:14: verb: it answers POST
 *   + get /u/:id at Shop.java:15
 *   nearest: post /u/new at Shop.java:14
 * </pre>
 *
 * @param method the method
 * @param path the path as layers compare it
 * @param layers the layers in order, those of mounted applications behind the mount
 * @param nearest the routes whose paths are spelled like the request's, the nearest first; none
 *     where one matches
 */
public record Explanation(String method, String path, List<Line> layers, List<String> nearest) {

  /**
   * One layer, and whether it matches.
   *
   * @param depth how many mounted applications it is inside of
   * @param layer what it is, such as {@code get /u/:id}
   * @param origin the file and line where it was defined
   * @param matches whether its steps run if the layers before pass on
   * @param why what differs: {@code verb}, {@code path}, {@code mount}, {@code case}, {@code
   *     strict}, {@code errors} or {@code ambiguous}; empty if it matches
   * @param reason the same as a sentence; empty if it matches
   */
  public record Line(
      int depth, String layer, String origin, boolean matches, String why, String reason) {

    /** Returns the line as text. */
    @Override
    public String toString() {
      String text = "  ".repeat(depth) + (matches ? "+ " : "- ") + layer;
      return text
          + (origin.isEmpty() ? "" : " at " + origin)
          + (matches ? "" : ": " + why + ": " + reason);
    }

    private Map<String, Object> value() {
      Map<String, Object> value = new LinkedHashMap<>();
      value.put("depth", depth);
      value.put("layer", layer);
      value.put("origin", origin);
      value.put("matches", matches);
      value.put("why", why);
      value.put("reason", reason);
      return value;
    }
  }

  /** Creates an explanation. */
  public Explanation {
    layers = List.copyOf(layers);
    nearest = List.copyOf(nearest);
  }

  /** Tells whether a route matches. */
  public boolean matches() {
    return layers.stream().anyMatch(line -> line.matches && !line.layer.startsWith("use "));
  }

  /** Returns the same as JSON, an object with the names of this record. */
  public String json() {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("method", method);
    value.put("path", path);
    value.put("layers", layers.stream().map(Line::value).toList());
    value.put("nearest", nearest);
    return JsonText.of(value);
  }

  /** Returns the same as text, a line for each layer. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder(method).append(' ').append(path).append('\n');
    layers.forEach(line -> out.append(line).append('\n'));
    if (!nearest.isEmpty()) {
      out.append("nearest: ").append(String.join(", ", nearest)).append('\n');
    }
    return out.toString();
  }
}
