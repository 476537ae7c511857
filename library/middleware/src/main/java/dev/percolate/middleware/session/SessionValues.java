package dev.percolate.middleware.session;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Settings;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of a session as one request sees them. Detects which values the request has changed.
 *
 * <p>The JSON is parsed on first access. Lists and maps can be changed in place; if there are any,
 * the JSON is parsed a second time to compare. JSON is written only if there is a difference.
 */
public final class SessionValues {

  public static final String NOTHING = "{}";

  private static final System.Logger LOG = System.getLogger("dev.percolate.middleware");
  private static final int MOST_WARNINGS = 100;

  /** The warnings that this process has logged. */
  private static final Set<String> WARNINGS = ConcurrentHashMap.newKeySet();

  private final Settings settings;
  private String given;
  private @Nullable Map<String, Object> seen;
  private @Nullable Map<String, Object> before;

  /**
   * The changes of a request.
   *
   * @param json the added and changed values, as JSON
   * @param removed the removed names
   */
  public record Changes(String json, Set<String> removed) {}

  /**
   * Creates the values of a session.
   *
   * @param given the stored values, as JSON
   * @param settings the settings, which have the JSON codec
   */
  public SessionValues(String given, Settings settings) {
    this.settings = settings;
    this.given = given;
  }

  /** Returns the values, which middleware and handlers may change. */
  public Map<String, Object> seen() {
    if (seen == null) {
      seen = read(given);
      if (seen.values().stream().allMatch(SessionValues::isFixed)) {
        before = new LinkedHashMap<>(seen);
      }
    }
    return seen;
  }

  /**
   * Returns a value converted to a type; null if absent.
   *
   * @throws IllegalStateException if it is absent and the type is primitive, or cannot be converted
   */
  public <T> @Nullable T get(String name, Class<T> type) {
    Object value = seen().get(name);
    if (value == null && type.isPrimitive()) {
      throw new IllegalStateException(
          "session.get(\"%s\", %s.class): no such value; ".formatted(name, type)
              + "use a class such as Integer if it may be absent");
    }
    if (value == null || type.isInstance(value)) {
      return type.cast(value);
    }
    try {
      Object read = settings.jsonCodec().read(write(value), type);
      @SuppressWarnings("unchecked") // Class.cast does not accept primitive types
      T typed = (T) read;
      return typed;
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          "session.get(\"" + name + "\", " + type.getSimpleName() + "): " + e.getMessage(), e);
    }
  }

  /** Sets a value. In development, logs a warning if later requests see it as another type. */
  public void set(String name, Object value) {
    if (Settings.processEnv().equals("development")) {
      String loss = loss(name, value);
      if (loss != null && WARNINGS.size() < MOST_WARNINGS && WARNINGS.add(loss)) {
        LOG.log(Level.WARNING, loss);
      }
    }
    seen().put(name, value);
  }

  /**
   * Returns a warning if later requests see a value differently after conversion to JSON and back.
   *
   * @return the warning; null if the value does not change, or cannot be stored
   */
  public @Nullable String loss(String name, Object value) {
    Object back;
    try {
      back = settings.jsonCodec().read(write(value));
    } catch (RuntimeException e) {
      return null; // storing the value will throw
    }
    String type = value.getClass().getSimpleName();
    return value.equals(back)
        ? null
        : "session.set(\"%s\", %s): later requests read it as %s; use get(\"%s\", %s.class)"
            .formatted(
                name, type, back == null ? "null" : back.getClass().getSimpleName(), name, type);
  }

  public boolean isEmpty() {
    return (seen == null && given.equals(NOTHING)) || seen().isEmpty();
  }

  public boolean isChanged() {
    return seen != null && !changedNames().isEmpty();
  }

  /** Returns the values as this request sees them. */
  public String json() {
    return seen == null ? given : write(seen);
  }

  /** Returns a snapshot of the changes of this request. */
  public Changes changes() {
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
   * Applies the changes of this request to the values stored meanwhile. Other values do not change.
   *
   * @param now the stored values
   * @param json the values of this request
   */
  public String onto(String now, String json) {
    if (now.equals(given)) {
      return json;
    } else if (seen == null) {
      return now;
    }
    return write(changed(read(now), changes()));
  }

  /** Replaces the values with those stored meanwhile, and applies changes to them. */
  public void rebase(String now, Changes changes) {
    replace(now);
    Map<String, Object> ignored = changed(seen(), changes);
  }

  private Map<String, Object> changed(Map<String, Object> values, Changes changes) {
    values.putAll(read(changes.json()));
    values.keySet().removeAll(changes.removed());
    return values;
  }

  /** Sets the stored values, against which changes are detected. */
  public void give(String json) {
    given = json;
    before = null;
  }

  /** Sets the stored values, and shows them to the request. */
  public void replace(String json) {
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

  /** Compares values by their JSON, since a record is not equal to the map that it is stored as. */
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
    return settings.jsonCodec().write(value, JsonCodec.WriteOptions.COMPACT);
  }
}
