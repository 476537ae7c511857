package dev.percolate.views.mustache;

import dev.percolate.core.Settings;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Settings to be read by name; they cannot be listed. */
final class SettingsMap extends AbstractMap<String, @Nullable Object> {

  private final Settings settings;

  SettingsMap(Settings settings) {
    this.settings = settings;
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return settings.has(String.valueOf(name));
  }

  @Override
  public @Nullable Object get(@Nullable Object name) {
    return settings.get(String.valueOf(name));
  }

  @Override
  public Set<Map.Entry<String, @Nullable Object>> entrySet() {
    return Set.of();
  }
}
