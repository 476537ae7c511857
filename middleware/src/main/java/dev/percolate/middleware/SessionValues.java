package dev.percolate.middleware;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Settings;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds the values of a session as one request sees them, and tells which of them it has changed.
 *
 * <p>Nothing is parsed before somebody looks. Lists and maps may be changed in place; so where
 * there are some, what was given is parsed a second time, for comparison. JSON is written only
 * where that finds a difference.
 */
final class SessionValues {

  static final String NOTHING = "{}";

  private final Settings settings;
  private String given;
  private @Nullable Map<String, Object> seen;
  private @Nullable Map<String, Object> before;

  /**
   * What a request has changed.
   *
   * @param json the values that it has put, as JSON
   * @param removed the names that it has removed
   */
  record Changes(String json, Set<String> removed) {}

  /**
   * Creates the values of a session.
   *
   * @param given as they are stored
   * @param settings know the codec of the application
   */
  SessionValues(String given, Settings settings) {
    this.settings = settings;
    this.given = given;
  }

  /** Returns the values for steps to see and to change. */
  Map<String, Object> seen() {
    Map<String, Object> known = seen;
    if (known == null) {
      known = read(given);
      seen = known;
      if (known.values().stream().allMatch(SessionValues::isFixed)) {
        before = new LinkedHashMap<>(known);
      }
    }
    return known;
  }

  /** Returns a value as a type; null for none. */
  <T> @Nullable T get(String name, Class<T> type) {
    Object value = seen().get(name);
    if (value == null || type.isInstance(value)) {
      return type.cast(value);
    }
    try {
      Object read = settings.jsonCodec().read(write(value), type);
      @SuppressWarnings("unchecked") // the class of a primitive casts nothing
      T typed = (T) read;
      return typed;
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          "session.get(\"" + name + "\", " + type.getSimpleName() + "): " + e.getMessage(), e);
    }
  }

  /**
   * Says how a value differs for later requests, which see it as JSON gives it back.
   *
   * @return a sentence for the developer; null if it comes back as it is, or cannot be stored at
   *     all
   */
  @Nullable String loss(String name, Object value) {
    Object back;
    try {
      back = settings.jsonCodec().read(write(value));
    } catch (RuntimeException e) {
      return null; // storing it fails, and says why
    }
    String type = value.getClass().getSimpleName();
    return value.equals(back)
        ? null
        : "session.put(\"%s\", %s): later requests get %s, or what they ask for: get(\"%s\", %s.class)"
            .formatted(
                name, type, back == null ? "null" : back.getClass().getSimpleName(), name, type);
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

  /** Returns what this request has changed, as it is now: later changes in place do not count. */
  Changes changes() {
    if (!isChanged()) {
      return new Changes(NOTHING, Set.of());
    }
    Map<String, Object> put = new LinkedHashMap<>();
    Set<String> removed = new LinkedHashSet<>();
    for (String name : changedNames()) {
      if (seen().containsKey(name)) {
        put.put(name, seen().get(name));
      } else {
        removed.add(name);
      }
    }
    return new Changes(write(put), removed);
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

  /** Makes what was stored meanwhile, with changes on top, the values that are seen. */
  void rebase(String now, Changes changes) {
    replace(now);
    seen().putAll(read(changes.json()));
    seen().keySet().removeAll(changes.removed());
  }

  /** Makes other values those that were given; changes from now on count. */
  void give(String json) {
    given = json;
    before = null;
  }

  /** Makes other values those that were given and are seen. */
  void replace(String json) {
    Map<String, Object> known = read(json);
    give(json);
    if (seen != null) {
      seen.clear();
      seen.putAll(known);
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
  private boolean isSame(@Nullable Object then, @Nullable Object now) {
    return Objects.equals(then, now) || write(then).equals(write(now));
  }

  private static boolean isFixed(@Nullable Object value) {
    return value == null
        || value instanceof String
        || value instanceof Number
        || value instanceof Boolean;
  }

  private Map<String, Object> read(String json) {
    Map<String, Object> values = new LinkedHashMap<>();
    if (!json.equals(NOTHING) && settings.jsonCodec().read(json) instanceof Map<?, ?> map) {
      map.forEach((name, value) -> values.put(String.valueOf(name), value));
    }
    return values;
  }

  private String write(@Nullable Object value) {
    return settings.jsonCodec().write(value, JsonCodec.Style.COMPACT);
  }
}
