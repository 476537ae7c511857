package dev.percolate.framework;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.TraitsProvider;
import dev.percolate.framework.path.PathSpace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
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

    ActiveRule(RequiredStep rule, PathSpace space) {
      this.rule = rule;
      this.space = space;
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
  private final boolean normalised;
  private final List<ActiveRule> rules = new ArrayList<>();
  private final List<Coverage> passed = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  /** The applications that are being checked, because one may be used within itself. */
  private final Set<Middleware> within = new HashSet<>();

  private RequirementCheck(InnerLayers inside, boolean normalised) {
    this.inside = inside;
    this.normalised = normalised;
  }

  /**
   * Checks an application and the applications mounted in it.
   *
   * @param before the middleware that requests pass before they reach the application
   * @param normalised whether request paths are normalised
   * @throws IllegalStateException if a route lacks a required middleware; names all such routes
   */
  static void check(
      Middleware app, List<Middleware> before, InnerLayers inside, boolean normalised) {
    RequirementCheck check = new RequirementCheck(inside, normalised);
    before.forEach(step -> check.pass(step, check.mountSpace(""), EVERY_VERB));
    InnerLayers.Inner inner = inside.of(app);
    if (inner != null) {
      check.enter(app, inner, new ParamCallbacks(), "");
    }
    if (!check.faults.isEmpty()) {
      throw new IllegalStateException(String.join("\n", check.faults));
    }
  }

  private void enter(
      Middleware app, InnerLayers.Inner inner, ParamCallbacks outerParams, String prefix) {
    if (!within.add(app)) {
      return;
    }
    ParamCallbacks params = Objects.requireNonNullElse(inner.params(), outerParams);
    int outer = rules.size();
    for (RequiredStep rule : inner.rules()) {
      rules.add(new ActiveRule(rule, mountSpace(prefix + rule.path())));
    }
    Stack.Layers layers = inner.layers();
    for (int i = 0; i < layers.size(); i++) {
      Layer layer = layers.get(i);
      if (layer instanceof Mount mount) {
        mounted(mount, params, prefix + mount.prefix());
      } else if (layer instanceof RouteLayer route) {
        routed(route, params, prefix);
      }
    }
    List<ActiveRule> own = rules.subList(outer, rules.size());
    own.stream().filter(one -> !one.used).forEach(this::unused);
    own.clear();
    within.remove(app);
  }

  private void mounted(Mount mount, ParamCallbacks params, String path) {
    Middleware step = mount.step();
    PathSpace space = mountSpace(path);
    InnerLayers.Inner inner = inside.of(step);
    if (inner != null) {
      enter(step, inner, params, path);
    } else if (step instanceof Handler) {
      need("use " + (path.isEmpty() ? "/" : path), mount.origin(), space, EVERY_VERB, List.of());
    } else {
      rules.stream()
          .filter(one -> one.space.includes(space) && !one.rule.kind().isInstance(step))
          .forEach(one -> one.used = true);
    }
    pass(step, space, EVERY_VERB);
  }

  private void routed(RouteLayer route, ParamCallbacks params, String prefix) {
    List<Middleware> steps = route.steps();
    if (steps.isEmpty()) {
      return;
    }
    PathSpace space = PathSpace.ofRoute(prefix, route.path(), normalised);
    String name = route.verb() + " " + prefix + route.path();
    need(name, route.origin(), space, route.verbs(), steps);
    // next.route() skips the later steps; in a parameter callback, it skips the first step too.
    if (route.path().names().stream().allMatch(one -> params.of(one).isEmpty())) {
      pass(steps.get(0), space, route.verbs());
    }
  }

  private PathSpace mountSpace(String path) {
    return PathSpace.ofMount(path, normalised);
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
