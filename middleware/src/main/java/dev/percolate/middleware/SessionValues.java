package dev.percolate.middleware;

import dev.percolate.core.JsonCodec;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds the values of a session as one request sees them, and tells which of them it has changed.
 *
 * <p>Nothing is parsed before somebody looks. Values may be changed in place; so what was given is
 * parsed a second time, for comparison, and JSON is written only where that finds a difference.
 */
final class SessionValues {

  static final String NOTHING = "{}";

  private String given;
  private @Nullable Map<String, Object> seen;
  private @Nullable Map<String, Object> before;

  SessionValues(String given) {
    this.given = given;
  }

  /** Returns the values for steps to see and to change. */
  Map<String, Object> seen() {
    Map<String, Object> known = seen;
    if (known == null) {
      known = read(given);
      seen = known;
    }
    return known;
  }

  boolean isEmpty() {
    return (seen == null && given.equals(NOTHING)) || seen().isEmpty();
  }

  boolean isChanged() {
    return seen != null && !changedNames().isEmpty();
  }

  /** Returns the values as this request sees them. */
  String json() {
    return seen == null ? given : write(seen);
  }

  /**
   * Returns what was stored meanwhile with the changes of this request on top: what this one has
   * not changed stays as others have left it.
   *
   * @param now what is stored
   * @param json these values
   */
  String onto(String now, String json) {
    if (now.equals(given)) {
      return json;
    } else if (seen == null) {
      return now;
    }
    Map<String, Object> merged = read(now);
    for (String name : changedNames()) {
      if (seen().containsKey(name)) {
        merged.put(name, seen().get(name));
      } else {
        merged.remove(name);
      }
    }
    return write(merged);
  }

  /** Makes other values those that were given; changes from now on count. */
  void give(String json) {
    given = json;
    before = null;
  }

  /** Makes other values those that were given and are seen. */
  void replace(String json) {
    give(json);
    if (seen != null) {
      seen.clear();
      seen.putAll(read(json));
    }
  }

  private Set<String> changedNames() {
    if (before == null) {
      before = read(given);
    }
    Set<String> names = new LinkedHashSet<>(before.keySet());
    names.addAll(seen().keySet());
    Map<String, Object> then = before;
    names.removeIf(
        name ->
            then.containsKey(name) == seen().containsKey(name)
                && isSame(then.get(name), seen().get(name)));
    return names;
  }

  /** A record and the map that it was stored as are not equal, but the same JSON. */
  private static boolean isSame(@Nullable Object then, @Nullable Object now) {
    return Objects.equals(then, now) || write(then).equals(write(now));
  }

  private static Map<String, Object> read(String json) {
    Map<String, Object> values = new LinkedHashMap<>();
    if (!json.equals(NOTHING) && JsonCodec.find().read(json) instanceof Map<?, ?> map) {
      map.forEach((name, value) -> values.put(String.valueOf(name), value));
    }
    return values;
  }

  private static String write(@Nullable Object value) {
    return JsonCodec.find().write(value, JsonCodec.Style.COMPACT);
  }
}
