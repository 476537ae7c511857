package dev.percolate.framework;

import dev.percolate.core.Params;
import dev.percolate.core.Settings;
import dev.percolate.framework.path.Expression;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parameter callbacks of an application, looked up for each request. */
final class ParamCallbacks {

  private static final Pattern NAME = Pattern.compile("\\w+");

  private volatile Map<String, List<ParamCallback>> byName = Map.of();

  /** The source line of the first callback of each name. */
  private final Map<String, String> origins = new ConcurrentSkipListMap<>();

  private List<ParamFactory> factories = List.of();

  boolean isEmpty() {
    return byName.isEmpty();
  }

  /** Returns the callbacks of a name, in the order of their definition. */
  List<ParamCallback> of(String name) {
    return byName.getOrDefault(name, List.of());
  }

  synchronized void add(@Nullable ParamFactory factory) {
    if (factory == null) {
      throw new IllegalArgumentException("param(…): function must not be null");
    }
    factories = with(factories, factory);
  }

  /** Returns the names that have callbacks, with the source line of the first one. */
  Map<String, String> origins() {
    return origins;
  }

  /**
   * Adds a callback, or the callback that the factories create from a value.
   *
   * @param origin the source line of the definition
   */
  synchronized void add(@Nullable String given, @Nullable Object value, String origin) {
    String name = checked(given);
    Object made = value;
    for (ParamFactory factory : factories) {
      Object instead = factory.apply(name, made);
      made = instead != null && Settings.truthy(instead) ? instead : made;
    }
    if (made instanceof Pattern pattern) {
      made = matching(new Expression(pattern));
    }
    if (!(made instanceof ParamCallback callback)) {
      throw new IllegalArgumentException(
          "param(\"" + name + "\", " + made + "): value must be a ParamCallback or a Pattern");
    }
    Map<String, List<ParamCallback>> copy = new HashMap<>(byName);
    copy.put(name, with(of(name), callback));
    byName = copy;
    origins.putIfAbsent(name, origin);
  }

  /** Returns a name without its colon; throws if it is not valid for a parameter. */
  private static String checked(@Nullable String given) {
    String name = given != null && given.startsWith(":") ? given.substring(1) : given;
    if (name == null || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          call(given) + ": parameter name must contain only letters, digits and _");
    }
    return name;
  }

  /** Returns the call with a name, for messages. */
  static String call(@Nullable Object given) {
    return "param(" + (given instanceof String ? "\"" + given + "\"" : given) + ", …)";
  }

  /** Creates a callback that replaces the value with its captures, or skips the route. */
  private static ParamCallback matching(Expression expression) {
    return (req, res, next, value, name) -> {
      int[] bounds = expression.find(value);
      if (bounds == null) {
        next.route();
      } else {
        Params params = req.params();
        params.set(name, captures(value, bounds));
        next.run();
      }
    };
  }

  private static List<@Nullable String> captures(String value, int[] bounds) {
    List<@Nullable String> captures = new ArrayList<>();
    for (int i = 0; i < bounds.length; i += 2) {
      captures.add(bounds[i] < 0 ? null : value.substring(bounds[i], bounds[i + 1]));
    }
    return Collections.unmodifiableList(captures);
  }

  private static <T> List<T> with(List<T> list, T added) {
    List<T> copy = new ArrayList<>(list);
    copy.add(added);
    return List.copyOf(copy);
  }
}
