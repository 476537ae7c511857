package dev.percolate.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Assertions about the layers of an application.
 *
 * <pre>
 *   MapAssert.of(app.map().value())
 *       .has("get /users/:id")
 *       .hasNot("all /debug")
 *       .requires("/admin", BasicAuth.class);
 * </pre>
 */
public final class MapAssert {

  private final List<Layer> layers = new ArrayList<>();

  private record Layer(String kind, String path, List<?> steps, String origin) {

    boolean isBelow(String prefix) {
      String all = path.toLowerCase(Locale.ROOT) + "/";
      return prefix.equals("/") || all.startsWith(prefix.toLowerCase(Locale.ROOT) + "/");
    }

    @Override
    public String toString() {
      return kind + " " + path;
    }
  }

  private MapAssert(List<?> map) {
    add(map);
  }

  private void add(List<?> entries) {
    for (Object entry : entries) {
      Map<?, ?> layer = (Map<?, ?>) entry;
      String kind = String.valueOf(layer.get("kind"));
      String path = String.valueOf(layer.get("path"));
      layers.add(new Layer(kind, path, list(layer, "steps"), String.valueOf(layer.get("origin"))));
      add(list(layer, "inner"));
    }
  }

  private static List<?> list(Map<?, ?> layer, String name) {
    return (List<?>) Objects.requireNonNull(layer.get(name));
  }

  /**
   * Creates assertions about a map.
   *
   * @param map the map: {@code app.map().value()}
   */
  public static MapAssert of(List<Map<String, Object>> map) {
    return new MapAssert(map);
  }

  /**
   * Asserts that there is a layer.
   *
   * @param layer its kind and full path, such as {@code get /users/:id} or {@code use /admin}
   * @throws AssertionError if there is none
   */
  public MapAssert has(String layer) {
    return check(contains(layer), "there is no layer " + layer);
  }

  /**
   * Asserts that there is no such layer.
   *
   * @param layer its kind and full path, such as {@code all /debug}
   * @throws AssertionError if there is one
   */
  public MapAssert hasNot(String layer) {
    return check(!contains(layer), "there is a layer " + layer);
  }

  /**
   * Asserts that each route below a path has a middleware in the route, or in a {@code use} layer
   * before it. {@code App.require} checks the same, and more exactly, at each start.
   *
   * @param path the path, such as {@code /admin}
   * @param step the class of the middleware
   * @throws AssertionError if a route lacks it, or if there is no route
   */
  public MapAssert requires(String path, Class<?> step) {
    String name = step.getName().substring(step.getName().lastIndexOf('.') + 1);
    List<Layer> guards = new ArrayList<>();
    boolean used = false;
    for (Layer layer : layers) {
      boolean guarded = layer.steps.contains(name);
      if (layer.kind.equals("use") && guarded) {
        guards.add(layer);
      } else if (!layer.kind.equals("use") && layer.isBelow(path)) {
        guarded |= guards.stream().anyMatch(guard -> layer.isBelow(guard.path));
        check(guarded, layer + " at " + layer.origin + " has no " + name + " before it");
        used = true;
      }
    }
    return check(used, "there is no route below " + path);
  }

  private boolean contains(String layer) {
    return layers.stream().anyMatch(one -> one.toString().equals(layer));
  }

  private MapAssert check(boolean holds, String message) {
    if (!holds) {
      String all = layers.stream().map(Layer::toString).collect(Collectors.joining("\n"));
      throw new AssertionError(message + ". The layers are:\n" + all);
    }
    return this;
  }
}
