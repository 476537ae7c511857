package dev.percolate.framework;

import dev.percolate.core.Key;
import dev.percolate.core.Settings;
import dev.percolate.http.MimeTypes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/** Settings that only applications read, and the settings of Express. */
public final class AppSettings {

  /**
   * Whether the letter case of paths matters in routes; false. Applies to the routes that are
   * defined after it is set.
   */
  public static final Key<Boolean> CASE_SENSITIVE_ROUTING =
      Key.of("case sensitive routing", Boolean.class, false);

  /**
   * Whether a slash at the end of a path matters in routes; false. Applies to the routes that are
   * defined after it is set.
   */
  public static final Key<Boolean> STRICT_ROUTING = Key.of("strict routing", Boolean.class, false);

  /**
   * The directory of the views, as text or {@link Path}; {@code classpath:/views} is the folder
   * {@code views} of the class path. See {@link App#render(String, java.util.Map)}.
   */
  public static final Key<Object> VIEWS = Key.of("views", Object.class);

  /** The extension that is added to names of views without one; false or null to add none. */
  public static final Key<Object> VIEW_ENGINE = Key.of("view engine", Object.class);

  /** Whether views are found once and kept. */
  public static final Key<Boolean> VIEW_CACHE = Key.of("view cache", Boolean.class, false);

  /**
   * Whether an application that is mounted keeps its own defaults, as in Express 3, instead of
   * taking the values of the application that it is mounted in: of {@code env}, {@code etag},
   * {@code json spaces}, {@code jsonp callback name}, {@code subdomain offset}, {@code view cache},
   * {@code views} and {@code x-powered-by}. It is read when the application is mounted.
   */
  public static final Key<Boolean> OWN_DEFAULTS = Key.of("own defaults", Boolean.class, false);

  /** The directory of views if none is set; need not exist. */
  static final String DEFAULT_VIEWS = Path.of("views").toAbsolutePath().toString();

  /** The defaults that mounted applications of Express do inherit. */
  private static final Set<String> INHERITED =
      Set.of(Settings.TRUST_PROXY.name(), Settings.JSON_REPLACER.name());

  private AppSettings() {}

  /**
   * Returns the settings by which an application behaves as those of Express 3 do, wherever our
   * defaults differ and a setting can restore theirs. {@code docs/defaults.md} lists each of them
   * with the reason for our default:
   *
   * <pre>
   *   app.set(AppSettings.express());
   * </pre>
   */
  public static Settings express() {
    return new Settings()
        .set("exact auth scheme", true)
        .set(Settings.CONDITIONAL_REQUESTS, "express")
        .set("exact body names", true)
        .set(Settings.STACK_TRACES, "all")
        .set(OWN_DEFAULTS, true)
        .set(Settings.COOKIE_SIGNATURE, "express")
        .set(Settings.CONTENT_NEGOTIATION, "express")
        .set("json cookies", true)
        .set("session name", "connect.sid")
        .set("cookie session name", "connect.sess")
        .set("session overlap", Duration.ZERO)
        .set("session resave", true)
        .set("session save uninitialized", true)
        .set("session same site", false)
        .set("title", "Express")
        .set(Settings.HEADER_ENCODING, "latin1")
        .set(Settings.MIME_TYPES, MimeTypes.express())
        .set(Settings.AMBIGUOUS_TARGETS, "pass")
        .set(Settings.SERVER_OPTIONS, false)
        .set(Settings.LOGGED_RESPONSE, "set")
        .set(Settings.DOTTED_FOLDERS, true);
  }

  /** Creates the settings of a new application: without values of its own. */
  static Settings create() {
    Settings settings = new Settings();
    settings.parent(defaults());
    return settings;
  }

  /** Sets the defaults that a mounted application does not inherit, where it has no value. */
  static void keepDefaults(Settings settings) {
    Settings defaults = defaults();
    Set<String> own = settings.names();
    for (String name : defaults.names()) {
      if (!own.contains(name) && !INHERITED.contains(name)) {
        settings.set(name, defaults.get(name));
      }
    }
  }

  private static Settings defaults() {
    Settings defaults = Settings.defaults().set(VIEWS, DEFAULT_VIEWS);
    return Settings.processEnv().equals("production") ? defaults.set(VIEW_CACHE, true) : defaults;
  }
}
