package dev.percolate.openapi;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.TraitsProvider;
import dev.percolate.framework.App;
import dev.percolate.framework.LayerVisitor;
import dev.percolate.framework.Route;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/** Visits the routes of an application, including mounted applications, in order of definition. */
final class RouteWalk {

  /** The verbs in documents of a route for all verbs. */
  private static final Set<String> COMMON = Set.of("get", "post", "put", "patch", "delete");

  private static final Set<String> KNOWN =
      Set.of("get", "put", "post", "delete", "options", "head", "patch", "trace");

  private final List<Found> found = new ArrayList<>();
  private final List<Object> seen = new ArrayList<>();
  private final Set<App> within = new HashSet<>();

  /**
   * A route.
   *
   * @param verb the verb in lower case
   * @param path the path in the syntax of OpenAPI
   * @param apis all descriptions that apply to it, the outermost first
   * @param described whether the route has a description of its own
   * @param security how clients authenticate, as declared by middleware
   */
  record Found(
      String verb,
      PathTemplate path,
      List<Description> apis,
      boolean described,
      RouteSecurity security) {}

  /** A middleware that applies to all later routes below its path. */
  private record Ambient(String path, Middleware step) {

    boolean covers(String other) {
      String below = other.toLowerCase(Locale.ROOT);
      String mine = path.toLowerCase(Locale.ROOT);
      return below.equals(mine) || below.startsWith(mine + "/");
    }
  }

  static RouteWalk of(App app) {
    RouteWalk walk = new RouteWalk();
    walk.seen.add(app.path());
    walk.enter(app, "", List.of());
    return walk;
  }

  List<Found> found() {
    return found;
  }

  /** Returns true if nothing has changed since another walk. */
  boolean isSame(RouteWalk other) {
    if (seen.size() != other.seen.size()) {
      return false;
    }
    for (int i = 0; i < seen.size(); i++) {
      Object one = seen.get(i);
      Object two = other.seen.get(i);
      if (one != two && !(one instanceof String && Objects.equals(one, two))) {
        return false;
      }
    }
    return true;
  }

  private void enter(App app, String prefix, List<Ambient> outer) {
    if (!within.add(app)) {
      return; // an application may be used within itself
    }
    List<Ambient> ambient = new ArrayList<>(outer);
    app.visit(
        new LayerVisitor() {
          @Override
          public void visitMiddleware(String path, Middleware step) {
            seen.add(prefix + path);
            seen.add(step);
            for (Middleware one : Chain.flat(List.of(step))) {
              if (one instanceof App inner) {
                enter(inner, prefix + path, ambient);
              } else {
                ambient.add(new Ambient(prefix + path, one));
              }
            }
          }

          @Override
          public void visitRoutes(List<Route> routes) {
            boolean all = routes.size() > KNOWN.size();
            for (Route route : routes) {
              seen.add(route);
              if ((all ? COMMON : KNOWN).contains(route.method())) {
                add(route, prefix, ambient);
              }
            }
          }
        });
    within.remove(app);
  }

  private void add(Route route, String prefix, List<Ambient> ambient) {
    boolean described = route.callbacks().stream().anyMatch(Api.class::isInstance);
    for (PathTemplate path : PathTemplate.of(prefix, route.path())) {
      List<Middleware> steps = new ArrayList<>();
      ambient.stream()
          .filter(one -> one.covers(path.text()))
          .map(Ambient::step)
          .forEach(steps::add);
      steps.addAll(route.callbacks());
      RouteSecurity security = RouteSecurity.of(traits(steps));
      found.add(new Found(route.method(), path, descriptions(steps), described, security));
    }
  }

  private static List<Description> descriptions(List<Middleware> steps) {
    return steps.stream().filter(Api.class::isInstance).map(step -> ((Api) step).said()).toList();
  }

  private static List<MiddlewareTraits> traits(List<Middleware> steps) {
    return steps.stream()
        .filter(TraitsProvider.class::isInstance)
        .map(step -> ((TraitsProvider) step).traits())
        .toList();
  }
}
