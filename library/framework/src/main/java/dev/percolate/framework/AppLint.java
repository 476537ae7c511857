package dev.percolate.framework;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.TraitsProvider;
import dev.percolate.framework.path.DoubtfulPath;
import dev.percolate.framework.path.PathSpace;
import dev.percolate.http.EditDistance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Detects mistakes in the definition of an application, such as a wrong order of its layers; see
 * {@link App#lint}.
 */
final class AppLint {

  /**
   * A layer, seen from the whole application.
   *
   * @param among the layers of the application in which the layer was defined
   * @param params the parameter callbacks of that application
   * @param space the full paths, including mount paths
   */
  private record Place(Layer layer, Stack.Layers among, ParamCallbacks params, PathSpace space) {

    List<MiddlewareTraits> traits() {
      return steps().stream()
          .filter(TraitsProvider.class::isInstance)
          .map(step -> ((TraitsProvider) step).traits())
          .toList();
    }

    List<Middleware> steps() {
      return layer instanceof Mount mount ? List.of(mount.step()) : ((RouteLayer) layer).steps();
    }

    boolean isRoute() {
      return layer instanceof RouteLayer;
    }

    /** Returns true if both are one route, which the router of its application lists again. */
    boolean repeats(Place other) {
      return layer.equals(other.layer)
          && among != other.among
          && space.toString().equals(other.space.toString());
    }

    /** Returns true if a request may exist that matches both layers. */
    boolean mayMeet(Place other) {
      return (verbs() & other.verbs()) != 0 && space.mayMeet(other.space);
    }

    /** Returns true if requests usually pass through this layer: it has no handler. */
    boolean passesOn() {
      return steps().stream().noneMatch(Handler.class::isInstance);
    }

    /** Returns the bits of the verbs that this layer handles; GET includes HEAD. */
    long verbs() {
      if (!(layer instanceof RouteLayer route)) {
        return -1;
      }
      long handled = route.verbs();
      boolean get = (handled & RequestMethod.bit("get")) != 0;
      return get ? handled | RequestMethod.bit("head") : handled;
    }

    boolean takesErrors() {
      return steps().stream().allMatch(ErrorHandler.class::isInstance);
    }

    /**
     * Returns true if no later layer sees a request that reaches this one. Middleware with a {@link
     * TraitsProvider} does not leave the route; other middleware may, and so may parameter
     * callbacks.
     */
    boolean ends() {
      if (layer instanceof RouteLayer route
          && route.path().names().stream().anyMatch(name -> !params.of(name).isEmpty())) {
        return false;
      }
      for (Middleware step : steps()) {
        if (step instanceof Handler) {
          return true;
        } else if (!(step instanceof TraitsProvider) && !(step instanceof ErrorHandler)) {
          return false;
        }
      }
      return false;
    }

    @Override
    public String toString() {
      String path = space.toString();
      String name =
          layer instanceof RouteLayer route
              ? route.verb() + " " + path
              : "use " + (path.isEmpty() ? "/" : path);
      return name + " at " + layer.origin();
    }
  }

  private final List<Place> places = new ArrayList<>();
  private final Set<ParamCallbacks> callbacks = new LinkedHashSet<>();
  private final Set<SettingOrigins.Misspelling> misspellings = new LinkedHashSet<>();
  private final Set<String> warnings = new LinkedHashSet<>();
  private final Set<String> ignored;
  private final InnerLayers inside;
  private final Function<Middleware, List<SettingOrigins.Misspelling>> misspelled;
  private final boolean normalised;

  /**
   * Collects the layers of an application.
   *
   * @param ignored the warnings to omit, in the format of the setting
   * @param misspelled returns the misspelled settings of an application
   * @param normalised whether request paths are normalised
   */
  AppLint(
      Middleware app,
      @Nullable Object ignored,
      InnerLayers inside,
      Function<Middleware, List<SettingOrigins.Misspelling>> misspelled,
      boolean normalised) {
    this.ignored = ignored(ignored);
    this.inside = inside;
    this.misspelled = misspelled;
    this.normalised = normalised;
    collect(app, new ParamCallbacks(), "");
  }

  /** Returns all warnings. */
  List<String> all() {
    misspellings.forEach(this::warnOfSetting);
    for (int i = 0; i < places.size(); i++) {
      check(places.get(i), places.subList(0, i), places.subList(i + 1, places.size()));
    }
    callbacks.forEach(this::checkCallbacks);
    return List.copyOf(warnings);
  }

  /** Returns the warnings about options of middleware, which matter in every environment. */
  List<String> ofOptions() {
    places.forEach(this::checkOptions);
    return List.copyOf(warnings);
  }

  private void collect(Middleware step, ParamCallbacks outer, String prefix) {
    InnerLayers.Inner inner = inside.of(step);
    if (inner == null) {
      return;
    }
    ParamCallbacks params = Objects.requireNonNullElse(inner.params(), outer);
    callbacks.add(params);
    misspellings.addAll(misspelled.apply(step));
    Stack.Layers layers = inner.layers();
    for (int i = 0; i < layers.size(); i++) {
      Layer layer = layers.get(i);
      if (layer instanceof RouteLayer route) {
        PathSpace space = PathSpace.ofRoute(prefix, route.path(), normalised);
        places.add(new Place(route, layers, params, space));
      } else if (layer instanceof Mount mount) {
        String path = prefix + mount.prefix();
        places.add(new Place(mount, layers, params, PathSpace.ofMount(path, normalised)));
        collect(mount.step(), params, path);
      }
    }
  }

  private void check(Place place, List<Place> above, List<Place> below) {
    if (above.stream().anyMatch(place::repeats)) {
      return;
    }
    checkPath(place);
    checkOptions(place);
    if (place.isRoute()) {
      checkReached(place, above);
    } else if (place.takesErrors()) {
      checkErrors(place, above, below);
    } else {
      checkMiddleware(place, above);
    }
    for (MiddlewareTraits traits : place.traits()) {
      checkTraits(place, traits, above);
      traits.required().forEach(name -> checkGiven(place, name, above, below));
    }
  }

  private void warnOfSetting(SettingOrigins.Misspelling one) {
    String place = one.origin().isEmpty() ? "" : " at " + one.origin();
    String text =
        "\"%s\"%s is not a setting of the library; did you mean \"%s\"?"
            .formatted(one.name(), place, one.meant());
    warn("unknown-setting", one.origin(), text);
  }

  private void checkPath(Place place) {
    String doubt =
        place.layer instanceof RouteLayer route
            ? DoubtfulPath.ofRoute(route.path())
            : DoubtfulPath.ofMount(((Mount) place.layer).prefix());
    if (doubt != null) {
      warn("doubtful-path", place, doubt);
    }
  }

  private void checkOptions(Place place) {
    for (MiddlewareTraits traits : place.traits()) {
      String warning = traits.warning();
      if (warning != null) {
        warn(traits.kind() + "-options", place, warning);
      }
    }
  }

  private void checkCallbacks(ParamCallbacks params) {
    Set<String> names =
        places.stream()
            .filter(one -> one.params == params && one.isRoute())
            .flatMap(one -> ((RouteLayer) one.layer).path().names().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    params
        .origins()
        .forEach(
            (name, origin) -> {
              if (!names.contains(name)) {
                warnOfCallback(name, origin, EditDistance.nearest(name, names));
              }
            });
  }

  private void warnOfCallback(String name, String origin, @Nullable String meant) {
    String text =
        "param(\"%s\", …) at %s never runs: no route of its application has this parameter"
            .formatted(name, origin);
    warn("unused-param", origin, meant == null ? text : text + "; did you mean :" + meant + "?");
  }

  private void checkReached(Place place, List<Place> above) {
    RouteLayer route = (RouteLayer) place.layer;
    if (place.takesErrors() || route.path().original() instanceof Pattern) {
      return;
    }
    warnIfHidden("unreachable-route", place, above, one -> handlesAll(one, route));
  }

  /** Checks a middleware. Mounted applications are left out, since their routes are checked. */
  private void checkMiddleware(Place place, List<Place> above) {
    if (inside.of(((Mount) place.layer).step()) == null) {
      warnIfHidden(
          "unreachable-middleware",
          place,
          above,
          one -> !(one.layer instanceof RouteLayer route) || route.others() != null);
    }
  }

  private void warnIfHidden(
      String name, Place place, List<Place> above, Predicate<Place> handlesAll) {
    above.stream()
        .filter(one -> one.ends() && one.space.includes(place.space) && handlesAll.test(one))
        .map(one -> "can never run, because " + one + " handles all its requests")
        .findFirst()
        .ifPresent(text -> warn(name, place, text));
  }

  private static boolean handlesAll(Place before, RouteLayer route) {
    return (route.verbs() & ~before.verbs()) == 0;
  }

  private void checkErrors(Place place, List<Place> above, List<Place> below) {
    boolean fed =
        above.stream()
            .anyMatch(
                one ->
                    one.among == place.among && !one.takesErrors() && one.space.meets(place.space));
    if (!fed) {
      String where =
          below.stream()
              .filter(one -> one.among == place.among && one.space.meets(place.space))
              .map(one -> "; move it after " + one)
              .findFirst()
              .orElse("");
      warn("idle-error-handler", place, "never gets an error: nothing is before it" + where);
    }
  }

  private void checkTraits(Place place, MiddlewareTraits traits, List<Place> above) {
    String kind = traits.kind();
    if (traits.isBeforeRoutes()) {
      above.stream()
          .filter(one -> one.isRoute() && (one.passesOn() || !place.isRoute()))
          .filter(one -> one.mayMeet(place))
          .findFirst()
          .ifPresent(route -> warn(kind + "-below-routes", place, "must be before " + route));
    }
    if (traits.isAuthentication() && isBelowPath(place)) {
      above.stream()
          .filter(one -> one.isRoute() && place.space.includes(one.space))
          .findFirst()
          .map(route -> "must be before " + route + ", which runs without it")
          .ifPresent(text -> warn(kind + "-below-routes", place, text));
    }
    Object deed = traits.onlyOne();
    if (deed != null) {
      above.stream()
          .filter(one -> isAgain(one, kind, deed) && one.passesOn() && one.mayMeet(place))
          .findFirst()
          .ifPresent(
              first -> warn(kind + "-twice", place, "repeats " + first + "; remove one of them"));
    }
  }

  /** Returns true for middleware at a path. At the root, routes before it may be public. */
  private static boolean isBelowPath(Place place) {
    return place.layer instanceof Mount mount && !mount.prefix().isEmpty();
  }

  private static boolean isAgain(Place one, String kind, Object deed) {
    return one.traits().stream()
        .anyMatch(traits -> traits.kind().equals(kind) && deed.equals(traits.onlyOne()));
  }

  private void checkGiven(Place place, String name, List<Place> above, List<Place> below) {
    Predicate<Place> gives = one -> giver(one, name) != null && one.space.meets(place.space);
    if (above.stream().noneMatch(gives) && !gives.test(place)) {
      String text = "must be before " + place + ", which needs the attribute \"" + name + "\"";
      below.stream()
          .filter(gives)
          .findFirst()
          .ifPresent(one -> warn(giver(one, name) + "-below-reader", one, text));
    }
  }

  /** Returns the kind of the middleware that sets an attribute; null if none does. */
  private static @Nullable String giver(Place place, String name) {
    return place.traits().stream()
        .filter(traits -> traits.provided().contains(name))
        .map(MiddlewareTraits::kind)
        .findFirst()
        .orElse(null);
  }

  private void warn(String name, Place place, String text) {
    warn(name, place.layer.origin(), place + " " + text);
  }

  private void warn(String name, String origin, String text) {
    if (!ignored.contains(name) && !ignored.contains(name + " " + origin)) {
      warnings.add(name + ": " + text);
    }
  }

  private static Set<String> ignored(@Nullable Object setting) {
    Collection<?> names =
        setting instanceof Collection<?> many
            ? many
            : Arrays.asList(Objects.requireNonNullElse(setting, "").toString().split(",", -1));
    return names.stream().map(name -> name.toString().strip()).collect(Collectors.toSet());
  }
}
