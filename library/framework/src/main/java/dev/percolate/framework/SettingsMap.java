package dev.percolate.framework;

import dev.percolate.core.Settings;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Presents settings as a map, for a {@link TemplateEngine} whose library reads only maps.
 *
 * <p>The map is live and read-only, and has no iterable entries: a template that prints the whole
 * map prints no settings.
 */
public final class SettingsMap extends AbstractMap<String, @Nullable Object> {

  private final Settings settings;

  /**
   * Creates a map of settings.
   *
   * @param settings the settings
   */
  public SettingsMap(Settings settings) {
    this.settings = settings;
  }

  /**
   * Returns a copy of locals in which the value {@code settings} is a map, if it is the {@link
   * Settings} of an application.
   *
   * @param locals the values for a template; see {@link TemplateEngine#render}
   * @return a copy
   */
  public static Map<String, @Nullable Object> in(Map<String, @Nullable Object> locals) {
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

  @Override
  public Set<Map.Entry<String, @Nullable Object>> entrySet() {
    return Set.of();
  }
}
