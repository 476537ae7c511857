package dev.percolate.framework;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.core.StartCheck;
import dev.percolate.engine.ListenOptions;
import dev.percolate.framework.path.PathSpace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Runs the {@link StartCheck} of all middleware of an application before a server starts. */
final class StartChecks {

  private static final long EVERY_VERB = -1;

  /** A middleware, with the paths and methods of the requests that reach it. */
  private record Seen(Middleware step, PathSpace space, long verbs) {

    boolean isBefore(Seen later) {
      return (verbs & later.verbs) != 0
          && !(step instanceof ErrorHandler)
          && space.mayInclude(later.space);
    }
  }

  private final ListenOptions options;
  private final InnerLayers inside;
  private final boolean normalised;

  private final Predicate<Middleware> application;

  private final List<Seen> passed = new ArrayList<>();

  /** The applications that are being checked, from the outermost to the innermost. */
  private final Set<Middleware> apps = new HashSet<>();

  /**
   * Creates the checks of one start.
   *
   * @param normalised whether request paths are normalised
   * @param application checks an application itself; returns false for other middleware
   */
  StartChecks(
      ListenOptions options,
      InnerLayers inside,
      boolean normalised,
      Predicate<Middleware> application) {
    this.options = options;
    this.inside = inside;
    this.normalised = normalised;
    this.application = application;
  }

  /**
   * Checks an application and the applications mounted in it.
   *
   * @param before the middleware that requests pass before they reach the application
   */
  void check(Middleware app, Stack.Layers layers, List<Middleware> before) {
    PathSpace everything = PathSpace.ofMount("", normalised);
    before.forEach(step -> passed.add(new Seen(step, everything, EVERY_VERB)));
    if (application.test(app)) {
      apps.add(app);
    }
    checkLayers(layers, "");
  }

  private void checkLayers(Stack.Layers layers, String prefix) {
    for (int i = 0; i < layers.size(); i++) {
      Layer layer = layers.get(i);
      if (layer instanceof Mount mount) {
        String path = prefix + mount.prefix();
        PathSpace space = PathSpace.ofMount(path, normalised);
        check(new Seen(mount.step(), space, EVERY_VERB), path, mount.origin());
      } else if (layer instanceof RouteLayer route) {
        PathSpace space = PathSpace.ofRoute(prefix, route.path(), normalised);
        for (Middleware step : route.steps()) {
          // routes do not strip the path
          check(new Seen(step, space, route.verbs()), prefix, route.origin());
        }
      }
    }
  }

  private void check(Seen one, String path, String origin) {
    Middleware step = one.step();
    InnerLayers.Inner inner = inside.of(step);
    boolean app = application.test(step);
    if (app && !apps.add(step)) {
      return; // the application may be used within itself
    }
    if (!app && step instanceof StartCheck check) {
      run(check, before(one), origin);
    }
    if (inner != null) {
      checkLayers(inner.layers(), path);
    }
    if (app) {
      apps.remove(step); // it may be mounted again, after other middleware
    }
    passed.add(one);
  }

  /** Runs one check. A failure also names the source line of the middleware. */
  private void run(StartCheck check, List<Middleware> before, String origin) {
    String place = "; used at " + origin;
    try {
      check.checkStart(options, before);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(e.getMessage() + place, e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + place, e);
    }
  }

  private List<Middleware> before(Seen one) {
    return passed.stream().filter(other -> other.isBefore(one)).map(Seen::step).toList();
  }
}
