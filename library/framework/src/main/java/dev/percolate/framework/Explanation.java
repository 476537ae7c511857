package dev.percolate.framework;

import dev.percolate.http.JsonText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The layers of an application that match a request, and the reasons why others do not; see {@link
 * App#explain}. No layer runs, so it is unknown whether a matching layer responds or passes the
 * request on.
 *
 * <pre>
 *   GET /u/new
 *   - use /api at Shop.java:12: mount: the path is not below /api
 *   - post /u/new at Shop.java:14: verb: route handles POST
 *   + get /u/:id at Shop.java:15
 *   nearest: post /u/new at Shop.java:14
 * </pre>
 *
 * @param method the method
 * @param path the path that is compared with layers
 * @param layers the layers in order; those of a mounted application follow its mount
 * @param nearest the routes with similar paths, the most similar first; empty if a route matches
 */
public record Explanation(String method, String path, List<Line> layers, List<String> nearest) {

  /**
   * A layer, and whether it matches.
   *
   * @param depth the number of enclosing mounted applications
   * @param layer the layer, such as {@code get /u/:id}
   * @param origin the source line of its definition
   * @param matches whether it runs if the layers before it pass the request on
   * @param why the cause if it does not match: {@code verb}, {@code path}, {@code mount}, {@code
   *     case}, {@code strict}, {@code errors} or {@code ambiguous}; else empty
   * @param reason the cause as a sentence; empty if it matches
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

  /** Returns true if a route matches. */
  public boolean matches() {
    return layers.stream().anyMatch(line -> line.matches && !line.layer.startsWith("use "));
  }

  /** Returns the explanation as maps and lists, with the structure of {@link #json}. */
  public Map<String, Object> value() {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("method", method);
    value.put("path", path);
    value.put("layers", layers.stream().map(Line::value).toList());
    value.put("nearest", nearest);
    return value;
  }

  /** Returns the explanation as JSON, an object with the property names of this record. */
  public String json() {
    return JsonText.of(value());
  }

  /** Returns the explanation as text, with one line for each layer. */
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
