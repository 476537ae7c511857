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
 * The source lines that use the settings of an application, for messages. Applications may have
 * settings of their own, so an unknown name is a mistake only if it resembles one of the library.
 */
final class SettingOrigins {

  private static final Set<String> KNOWN = Set.copyOf(Settings.known());
  private static final List<String> ENVIRONMENTS = List.of("development", "production", "test");
  private static final int MOST = 1000;

  /** The source lines, by name. */
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
   * Stores the source line that sets a setting. Later ones replace it.
   *
   * @param name the name of the setting
   * @param callers the names of the classes between the application and this class
   */
  void set(String name, Set<String> callers) {
    if (origins.size() < MOST) {
      origins.put(name, CallSite.here(callers));
    }
  }

  /** Stores the first source line that reads a setting which is absent and unknown. */
  void read(String name, Set<String> callers) {
    if (!KNOWN.contains(name) && !origins.containsKey(name)) {
      set(name, callers);
    }
  }

  /** Returns the source line that has set a setting; empty if it is unknown. */
  String of(String name) {
    return origins.getOrDefault(name, "");
  }

  /**
   * Returns the misspelled names, including those without a known source line.
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
        found.add(new Misspelling(name, meant, of(name)));
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
    String meant = EditDistance.nearest(env, ENVIRONMENTS);
    for (String known : ENVIRONMENTS) {
      if (lower.length() > 2 && known.startsWith(lower)) {
        meant = known;
      }
    }
    return meant == null
        ? null
        : ("unknown environment \"%s\" in APP_ENV, percolate.env or app.set(\"env\", …);"
                + " did you mean \"%s\"?")
            .formatted(env, meant);
  }
}
