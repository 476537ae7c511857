package dev.percolate.framework;

import dev.percolate.core.Settings;
import java.nio.file.Path;

/** Creates settings for applications: those that one begins with, and those of Express. */
public final class AppSettings {

  /** What an application has only as long as neither it nor one above it has set something else. */
  private static final Settings OUTERMOST =
      new Settings().set("trust proxy", false).set("json replacer", null);

  /** The directory of views where nobody has set one; need not exist. */
  static final String VIEWS = Path.of("views").toAbsolutePath().toString();

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
        .set("exact body names", true)
        .set(Settings.STACK_TRACES, "all")
        .set(Settings.COOKIE_SIGNATURE, "express")
        .set("json cookies", true)
        .set("session name", "connect.sid")
        .set("cookie session name", "connect.sess")
        .set("session resave", true)
        .set("session save uninitialized", true)
        .set("session same site", false)
        .set("title", "Express")
        .set(Settings.AMBIGUOUS_TARGETS, "pass")
        .set(Settings.SERVER_OPTIONS, false)
        .set(Settings.DOTTED_FOLDERS, true);
  }

  static Settings create() {
    Settings settings = Settings.ofApplication();
    settings.parent(OUTERMOST);
    settings.set("subdomain offset", 2);
    settings.set("jsonp callback name", "callback");
    settings.set("views", VIEWS);
    if (Settings.processEnv().equals("production")) {
      settings.set("view cache", true);
    }
    return settings;
  }
}
