package dev.percolate.framework;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds the layers of one application, in the order of their definition.
 *
 * <p>It may change while requests are served: each dispatch keeps the snapshot that it began with.
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
   * @param chain all layers; behind the last route the one that answers OPTIONS
   * @param place what a place of the router runs: the routes alone
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

  /** Notes that the router is placed by hand; before the first route, then routes are no links. */
  synchronized void place() {
    placed |= !hadRoutes;
  }

  /** Tells whether the next route is the one that settles how paths are matched. */
  synchronized boolean awaitsFirstRoute() {
    return !hadRoutes && !placed;
  }

  /** Removes a record of a route. */
  synchronized void remove(Route record) {
    for (int i = 0; i < routes.size(); i++) {
      RouteLayer layer = routes.get(i);
      if (layer.records().contains(record)) {
        RouteLayer left = layer.without(record);
        int link = chain.indexOf(layer);
        if (left == null) {
          routes.remove(i);
        } else {
          routes.set(i, left);
        }
        if (link >= 0 && left == null) {
          chain.remove(link);
        } else if (link >= 0) {
          chain.set(link, left);
        }
        snapshot = null;
        return;
      }
    }
  }

  private synchronized Snapshot newSnapshot() {
    List<RouteLayer> allRoutes = List.copyOf(routes);
    OptionsLayer options = new OptionsLayer(allRoutes);
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

  /** The layers of a stack at one time, in their order, with an index where they are many. */
  static final class Layers {

    /** Up to so many a dispatch looks at each layer, which is as quick as asking the index. */
    private static final int FEW = 16;

    private final Layer[] layers;
    private final @Nullable RouteIndex index;

    Layers(List<? extends Layer> layers) {
      this.layers = layers.toArray(Layer[]::new);
      this.index = layers.size() > FEW ? new RouteIndex(this.layers) : null;
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

    /** Returns those layers that a path may reach. */
    LayerCursor candidates(RoutePath path) {
      return new LayerCursor(path, layers.length, index);
    }
  }

  /** Answers OPTIONS by the verbs that have a route of the path; stands behind the last route. */
  static final class OptionsLayer extends Layer {

    private final Layers routes;

    OptionsLayer(List<RouteLayer> routes) {
      this.routes = new Layers(routes);
    }

    /**
     * Returns the verbs with a route that matches, joined by commas; empty if there is none.
     *
     * @throws dev.percolate.http.HttpError 400 if a parameter of one cannot be decoded
     */
    String allowed(RoutePath path) {
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
    String name() {
      return "options";
    }

    @Override
    String origin() {
      return "";
    }

    @Override
    public String toString() {
      return name();
    }
  }
}
