package dev.percolate.conformance;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables of statements. The body of a function has a copy of the outer ones. */
final class Variables {

  private final World world;
  private final boolean inRoute;
  private final Map<String, @Nullable Object> names;

  private Variables(World world, boolean inRoute, Map<String, @Nullable Object> names) {
    this.world = world;
    this.inRoute = inRoute;
    this.names = names;
  }

  /** Creates the scope for building an application. */
  static Variables of(World world, Object app) {
    return new Variables(world, false, new HashMap<>()).set("app", app);
  }

  World world() {
    return world;
  }

  /**
   * Returns true if handlers created here belong to a route, which {@code next("route")} leaves.
   */
  boolean inRoute() {
    return inRoute;
  }

  @Nullable Object get(String name) {
    return names.getOrDefault(name, ScriptValues.UNDEFINED);
  }

  /** Sets a variable and returns this scope. */
  Variables set(String name, @Nullable Object value) {
    names.put(name, value);
    return this;
  }

  Variables copy() {
    return new Variables(world, inRoute, new HashMap<>(names));
  }

  Variables ofRoute() {
    return new Variables(world, true, new HashMap<>(names));
  }
}
