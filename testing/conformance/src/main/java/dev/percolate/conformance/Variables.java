package dev.percolate.conformance;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Holds the names that statements see. A function's body gets a copy of those around it. */
final class Variables {

  private final World world;
  private final boolean inRoute;
  private final Map<String, @Nullable Object> names;

  private Variables(World world, boolean inRoute, Map<String, @Nullable Object> names) {
    this.world = world;
    this.inRoute = inRoute;
    this.names = names;
  }

  /** Creates the scope in which an application is built. */
  static Variables of(World world, Object app) {
    return new Variables(world, false, new HashMap<>()).set("app", app);
  }

  World world() {
    return world;
  }

  /** Tells whether handlers made here stand in a route, where the word "route" leaves it. */
  boolean inRoute() {
    return inRoute;
  }

  @Nullable Object get(String name) {
    return names.getOrDefault(name, ScriptValues.UNDEFINED);
  }

  /** Sets a name here; gives this scope. */
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
