package dev.percolate.framework;

import dev.percolate.core.Key;
import dev.percolate.core.Settings;
import dev.percolate.http.MimeTypes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/** Settings that only applications read, and the settings for compatibility with Express. */
public final class AppSettings {

  /**
   * Whether routes distinguish upper and lower case in paths. Applies to routes that are defined
   * after it is set. Default: false.
   */
  public static final Key<Boolean> CASE_SENSITIVE_ROUTING =
      Key.of("case sensitive routing", Boolean.class, false);

  /**
   * Whether routes distinguish paths with and without a trailing slash. Applies to routes that are
   * defined after it is set. Default: false.
   */
  public static final Key<Boolean> STRICT_ROUTING = Key.of("strict routing", Boolean.class, false);

  /**
   * The directory of the views, as a string or {@link Path}; {@code classpath:/views} is the folder
   * {@code views} on the class path. See {@link App#render(String, java.util.Map)}.
   */
  public static final Key<Object> VIEWS = Key.of("views", Object.class);

  /** The file extension for view names that have none; false or null for no extension. */
  public static final Key<Object> VIEW_ENGINE = Key.of("view engine", Object.class);

  /** Whether the file of each view is looked up once and cached. */
  public static final Key<Boolean> VIEW_CACHE = Key.of("view cache", Boolean.class, false);

  /**
   * Whether a mounted application keeps its default values, like in Express 3, instead of
   * inheriting the values of the outer application. Applies to {@code env}, {@code etag}, {@code
   * json spaces}, {@code jsonp callback name}, {@code subdomain offset}, {@code view cache}, {@code
   * views} and {@code x-powered-by}. Read when the application is mounted. Default: false.
   */
  public static final Key<Boolean> OWN_DEFAULTS = Key.of("own defaults", Boolean.class, false);

  /** The default directory of views; it need not exist. */
  static final String DEFAULT_VIEWS = Path.of("views").toAbsolutePath().toString();

  /** The defaults that mounted applications inherit in Express too. */
  private static final Set<String> INHERITED =
      Set.of(Settings.TRUST_PROXY.name(), Settings.JSON_REPLACER.name());

  private AppSettings() {}

  /**
   * Returns settings that make an application behave like Express 3, as far as settings exist for
   * it. {@code docs/defaults.md} lists them, with the reasons for our defaults:
   *
   * <pre>
   *   app.set(AppSettings.express());
   * </pre>
   */
  public static Settings express() {
    return new Settings()
        .set("exact auth scheme", true)
        .set(Settings.CONDITIONAL_REQUESTS, "express")
        .set(Settings.ETAG_HASH, "md5")
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

  /** Creates the settings of a new application, without values of its own. */
  static Settings create() {
    Settings settings = new Settings();
    settings.parent(defaults());
    return settings;
  }

  /** Sets the defaults that a mounted application does not inherit, unless it has its own value. */
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
