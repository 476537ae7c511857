package dev.percolate.framework;

import dev.percolate.core.Params;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Holds the parameter callbacks of one application; found at the time of a request. */
final class ParamCallbacks {

  private volatile Map<String, List<ParamCallback>> byName = Map.of();
  private List<ParamFactory> factories = List.of();

  boolean isEmpty() {
    return byName.isEmpty();
  }

  /** Gives the callbacks of a name, in the order of their definition. */
  List<ParamCallback> of(String name) {
    return byName.getOrDefault(name, List.of());
  }

  synchronized void add(ParamFactory factory) {
    factories = with(factories, factory);
  }

  /** Adds a callback, or what the factories make one of. */
  synchronized void add(String given, Object value) {
    String name = given.startsWith(":") ? given.substring(1) : given;
    Object made = value;
    for (ParamFactory factory : factories) {
      Object instead = factory.apply(name, made);
      made = isTrue(instead) ? instead : made;
    }
    if (made instanceof Pattern pattern) {
      made = matching(new Expression(pattern));
    }
    if (!(made instanceof ParamCallback callback)) {
      throw new IllegalArgumentException("invalid param() call for " + name + ", got " + made);
    }
    Map<String, List<ParamCallback>> copy = new HashMap<>(byName);
    copy.put(name, with(of(name), callback));
    byName = copy;
  }

  private static boolean isTrue(@Nullable Object value) {
    return value != null
        && !value.equals(false)
        && !value.equals("")
        && !(value instanceof Number number && number.doubleValue() == 0);
  }

  /** Makes a callback that puts the captures in the place of the value, or leaves the route. */
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
