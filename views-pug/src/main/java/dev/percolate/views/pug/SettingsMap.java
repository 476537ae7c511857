package dev.percolate.views.pug;

import dev.percolate.core.Settings;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lets templates read settings as if they were a map. */
final class SettingsMap extends AbstractMap<String, @Nullable Object> {

  private final Settings settings;

  private SettingsMap(Settings settings) {
    this.settings = settings;
  }

  /** Gives the same locals, but for settings, which become a map. */
  static Map<String, @Nullable Object> in(Map<String, @Nullable Object> locals) {
    Map<String, @Nullable Object> copy = new HashMap<>(locals);
    copy.computeIfPresent(
        "settings",
        (name, value) -> value instanceof Settings real ? new SettingsMap(real) : value);
    return copy;
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return settings.has(String.valueOf(name));
  }

  @Override
  public @Nullable Object get(@Nullable Object name) {
    return settings.get(String.valueOf(name));
  }

  /** Gives nothing: settings are asked for by name, never listed. */
  @Override
  public Set<Entry<String, @Nullable Object>> entrySet() {
    return Set.of();
  }
}
