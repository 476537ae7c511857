package dev.percolate.framework;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.framework.path.CompiledPath;
import dev.percolate.framework.path.RouteIndex;
import dev.percolate.framework.path.RoutePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The layers of an application, in order of definition.
 *
 * <p>It may change while requests are served: each dispatch keeps its first snapshot.
 */
final class Stack {

  private final List<Layer> chain = new ArrayList<>();
  private final List<RouteLayer> routes = new ArrayList<>();
  private boolean hadRoutes;
  private boolean placed;
  private volatile @Nullable Snapshot snapshot;

  /**
   * The layers at one time.
   *
   * @param chain all layers, with the layer for OPTIONS after the last route
   * @param place the layers that {@link RouterPosition} runs: only routes
   * @param routes all routes
   */
  record Snapshot(Layers chain, Layers place, List<RouteLayer> routes) {}

  Snapshot snapshot() {
    Snapshot known = snapshot;
    return known == null ? newSnapshot() : known;
  }

  synchronized void use(String path, Middleware step, String origin) {
    chain.add(new Mount(path, step, origin));
    snapshot = null;
  }

  synchronized void route(RouteLayer route) {
    hadRoutes = true;
    routes.add(route);
    if (!placed) {
      chain.add(route);
    }
    snapshot = null;
  }

  /**
   * Places the router manually. If there is no route yet, routes are then no longer added to the
   * chain.
   */
  synchronized void place() {
    placed |= !hadRoutes;
  }

  /** Returns true if the next route decides how paths are matched. */
  synchronized boolean awaitsFirstRoute() {
    return !hadRoutes && !placed;
  }

  /** Removes a record of a route. */
  synchronized void remove(Route record) {
    for (RouteLayer layer : List.copyOf(routes)) {
      if (layer.records().contains(record)) {
        RouteLayer left = layer.without(record);
        replace(routes, layer, left);
        replace(chain, layer, left);
        snapshot = null;
      }
    }
  }

  private static void replace(
      List<? super RouteLayer> layers, RouteLayer layer, @Nullable RouteLayer left) {
    int index = layers.indexOf(layer);
    if (index >= 0 && left != null) {
      layers.set(index, left);
    } else if (index >= 0) {
      layers.remove(index);
    }
  }

  private synchronized Snapshot newSnapshot() {
    List<RouteLayer> allRoutes = List.copyOf(routes);
    OptionsLayer options = new OptionsLayer(new Layers(allRoutes));
    List<Layer> links = new ArrayList<>(chain);
    for (int i = links.size() - 1; i >= 0; i--) {
      if (links.get(i) instanceof RouteLayer) {
        links.add(i + 1, options);
        break;
      }
    }
    List<Layer> place = new ArrayList<>(allRoutes);
    place.add(options);
    Snapshot made = new Snapshot(new Layers(links), new Layers(place), allRoutes);
    snapshot = made;
    return made;
  }

  /** The layers of a stack at one time, in order, with an index if there are many. */
  static final class Layers {

    private final Layer[] layers;
    private final RouteIndex index;

    Layers(List<? extends Layer> layers) {
      this.layers = layers.toArray(Layer[]::new);
      this.index =
          RouteIndex.of(
              layers.stream()
                  .map(one -> one instanceof RouteLayer route ? route.path() : null)
                  .toList());
    }

    int size() {
      return layers.length;
    }

    Layer get(int number) {
      return layers[number];
    }

    Stream<Layer> stream() {
      return Stream.of(layers);
    }

    /** Returns the layers that a path may match. */
    RouteIndex.Candidates candidates(RoutePath path) {
      return index.candidates(path);
    }
  }

  /**
   * Responds to OPTIONS with the methods that have a route for the path; placed after the last
   * route.
   */
  record OptionsLayer(Layers routes) implements Layer {

    /**
     * Returns the methods with a matching route, separated by commas; empty if there is none.
     *
     * @throws dev.percolate.http.HttpError 400 if a parameter cannot be decoded
     */
    String allowed(RoutePath path) {
      Set<String> names = new TreeSet<>();
      RouteIndex.Candidates candidates = routes.candidates(path);
      for (int i = candidates.next(0); i < routes.size(); i = candidates.next(i + 1)) {
        RouteLayer layer = (RouteLayer) routes.get(i);
        CompiledPath.Match match = layer.path().match(path);
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
    public String name() {
      return "options";
    }

    @Override
    public String origin() {
      return "";
    }

    @Override
    public String text() {
      return name();
    }
  }
}
