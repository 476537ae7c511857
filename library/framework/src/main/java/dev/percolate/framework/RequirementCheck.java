package dev.percolate.framework;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.TraitsProvider;
import dev.percolate.framework.path.PathSpace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks that routes have the middleware that applications require; see {@link App#require}. */
final class RequirementCheck {

  private static final long EVERY_VERB = -1;

  /** A rule, with its full path. */
  private static final class ActiveRule {

    final RequiredStep rule;
    final PathSpace space;

    /** Whether a layer below the path exists. */
    boolean used;

    ActiveRule(RequiredStep rule, String prefix) {
      this.rule = rule;
      this.space = PathSpace.ofMount(prefix + rule.path());
    }
  }

  /** A middleware, with the paths and methods of the requests that pass it. */
  private record Coverage(Middleware step, PathSpace space, long verbs) {

    /** Returns true if the requests of a route pass this middleware, as far as a rule applies. */
    boolean guards(ActiveRule one, PathSpace route, long routeVerbs) {
      return one.rule.kind().isInstance(step)
          && (verbs & routeVerbs) == routeVerbs
          && (space.includes(route) || space.includes(one.space));
    }
  }

  private final InnerLayers inside;
  private final List<ActiveRule> rules = new ArrayList<>();
  private final List<Coverage> passed = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  /** The applications that are being checked, because one may be used within itself. */
  private final Set<Middleware> within = new HashSet<>();

  private RequirementCheck(InnerLayers inside) {
    this.inside = inside;
  }

  /**
   * Checks an application and the applications mounted in it.
   *
   * @param before the middleware that requests pass before they reach the application
   * @throws IllegalStateException if a route lacks a required middleware; names all such routes
   */
  static void check(Middleware app, List<Middleware> before, InnerLayers inside) {
    RequirementCheck check = new RequirementCheck(inside);
    before.forEach(step -> check.pass(step, PathSpace.ofMount(""), EVERY_VERB));
    InnerLayers.Inner inner = inside.of(app);
    if (inner != null) {
      check.enter(app, inner, "");
    }
    if (!check.faults.isEmpty()) {
      throw new IllegalStateException(String.join("\n", check.faults));
    }
  }

  private void enter(Middleware app, InnerLayers.Inner inner, String prefix) {
    if (!within.add(app)) {
      return;
    }
    int outer = rules.size();
    inner.rules().forEach(rule -> rules.add(new ActiveRule(rule, prefix)));
    Stack.Layers layers = inner.layers();
    for (int i = 0; i < layers.size(); i++) {
      Layer layer = layers.get(i);
      if (layer instanceof Mount mount) {
        mounted(mount, prefix + mount.prefix());
      } else if (layer instanceof RouteLayer route) {
        routed(route, prefix);
      }
    }
    List<ActiveRule> own = rules.subList(outer, rules.size());
    own.stream().filter(one -> !one.used).forEach(this::unused);
    own.clear();
    within.remove(app);
  }

  private void mounted(Mount mount, String path) {
    Middleware step = mount.step();
    PathSpace space = PathSpace.ofMount(path);
    InnerLayers.Inner inner = inside.of(step);
    if (inner != null) {
      enter(step, inner, path);
    } else if (step instanceof Handler) {
      need("use " + (path.isEmpty() ? "/" : path), mount.origin(), space, EVERY_VERB, List.of());
    } else {
      rules.stream()
          .filter(one -> one.space.includes(space) && !one.rule.kind().isInstance(step))
          .forEach(one -> one.used = true);
    }
    pass(step, space, EVERY_VERB);
  }

  private void routed(RouteLayer route, String prefix) {
    List<Middleware> steps = route.steps();
    if (steps.isEmpty()) {
      return;
    }
    PathSpace space = PathSpace.ofRoute(prefix, route.path());
    String name = route.verb() + " " + prefix + route.path();
    need(name, route.origin(), space, route.verbs(), steps);
    pass(steps.get(0), space, route.verbs()); // a later step may be skipped by next.route()
  }

  private void need(
      String layer, String origin, PathSpace space, long verbs, List<Middleware> steps) {
    for (ActiveRule one : rules) {
      if (one.space.mayMeet(space)) {
        one.used = true;
        boolean own =
            steps.stream()
                .takeWhile(step -> !(step instanceof Handler))
                .anyMatch(one.rule.kind()::isInstance);
        if (!own && passed.stream().noneMatch(step -> step.guards(one, space, verbs))) {
          missing(layer + " at " + origin, one.rule);
        }
      }
    }
  }

  private void pass(Middleware step, PathSpace space, long verbs) {
    if (step instanceof TraitsProvider) {
      passed.add(new Coverage(step, space, verbs));
    }
  }

  private void missing(String route, RequiredStep rule) {
    String kind = rule.kind().getSimpleName();
    String cause = rule.call() + " at " + rule.origin();
    faults.add(
        "%s needs %s before it, because of %s. Add it with app.use(\"%s\", …) before this line."
            .formatted(route, kind, cause, rule.path()));
  }

  private void unused(ActiveRule one) {
    faults.add(
        "%s at %s: no route is below %s. Correct the path, or remove the call."
            .formatted(one.rule.call(), one.rule.origin(), one.space));
  }
}
