package dev.percolate.framework;

import dev.percolate.core.Handler;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Answers OPTIONS by the verbs that have a route of the path; stands behind the last route. */
final class OptionsLayer extends Layer {

  private final Stack.Layers routes;

  OptionsLayer(List<RouteLayer> routes) {
    this.routes = new Stack.Layers(routes);
  }

  /**
   * Returns the verbs with a route that matches, joined by commas; empty if there is none.
   *
   * @throws dev.percolate.http.HttpError 400 if a parameter of one cannot be decoded
   */
  String allowed(String path) {
    Set<String> names = new TreeSet<>();
    LayerCursor candidates = routes.candidates(path);
    for (int i = candidates.next(0); i < routes.size(); i = candidates.next(i + 1)) {
      RouteLayer layer = (RouteLayer) routes.get(i);
      PathPattern.Match match = layer.pattern().match(path);
      if (match != null) {
        match.params();
        layer.addVerbs(names);
      }
    }
    return String.join(",", names);
  }

  static Handler answer(String allowed) {
    return (req, res) -> res.set("Allow", allowed).send(allowed);
  }

  @Override
  public String toString() {
    return "options";
  }
}
