package dev.percolate.framework;

import dev.percolate.core.Settings;
import java.nio.file.Path;

/** Knows the settings that an application begins with. */
final class AppSettings {

  /** What an application has only as long as neither it nor one above it has set something else. */
  private static final Settings OUTERMOST =
      new Settings().set("trust proxy", false).set("json replacer", null);

  private AppSettings() {}

  static Settings create() {
    Settings settings = Settings.ofApplication();
    settings.parent(OUTERMOST);
    settings.set("subdomain offset", 2);
    settings.set("jsonp callback name", "callback");
    settings.set("views", Path.of("views").toAbsolutePath().toString());
    if (Settings.processEnv().equals("production")) {
      settings.set("view cache", true);
    }
    return settings;
  }
}
