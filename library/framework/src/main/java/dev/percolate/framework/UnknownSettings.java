package dev.percolate.framework;

import dev.percolate.core.Settings;
import dev.percolate.engine.CallSite;
import dev.percolate.http.EditDistance;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of settings that an application uses and the library does not have. Applications may
 * have settings of their own, so only names that resemble one of the library are mistakes.
 */
final class UnknownSettings {

  private static final Set<String> KNOWN = Set.copyOf(Settings.known());
  private static final List<String> ENVIRONMENTS = List.of("development", "production", "test");
  private static final int MOST = 100;

  /** The source lines of calls, by name. */
  private final Map<String, String> origins = new ConcurrentHashMap<>();

  /**
   * A misspelled name.
   *
   * @param name the name
   * @param meant the setting that it resembles
   * @param origin the source line that contains it; empty if unknown
   */
  record Misspelling(String name, String meant, String origin) {}

  /**
   * Stores the source line of a call if the library does not have the setting.
   *
   * @param name the name of the setting
   * @param callers the names of the classes between the application and this class
   */
  void note(String name, Set<String> callers) {
    if (!KNOWN.contains(name) && !origins.containsKey(name) && origins.size() < MOST) {
      origins.put(name, CallSite.here(callers));
    }
  }

  /**
   * Returns the misspelled names, including those that were set without {@link #note}.
   *
   * @param settings the settings of the application
   */
  List<Misspelling> misspelled(Settings settings) {
    List<Misspelling> found = new ArrayList<>();
    Set<String> names = settings.names();
    names.addAll(origins.keySet());
    names.removeAll(KNOWN);
    for (String name : names) {
      String meant = EditDistance.nearest(name, Settings.known());
      if (meant != null) {
        found.add(new Misspelling(name, meant, origins.getOrDefault(name, "")));
      }
    }
    return found;
  }

  /** Returns a warning if the environment is misspelled, such as {@code prod}; else null. */
  static @Nullable String environment(Settings settings) {
    String env = settings.get(Settings.ENV);
    if (env == null || ENVIRONMENTS.contains(env)) {
      return null;
    }
    String lower = env.strip().toLowerCase(Locale.ROOT);
    String meant =
        ENVIRONMENTS.stream()
            .filter(known -> lower.length() > 2 && known.startsWith(lower))
            .findFirst()
            .orElseGet(() -> EditDistance.nearest(env, ENVIRONMENTS));
    return meant == null
        ? null
        : ("unknown environment \"%s\" in APP_ENV, percolate.env or app.set(\"env\", …);"
                + " did you mean \"%s\"?")
            .formatted(env, meant);
  }
}
