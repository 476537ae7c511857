package dev.percolate.framework;

import dev.percolate.core.Settings;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets templates read settings as if they were a map; for those who write a {@link TemplateEngine}
 * on a library that reads maps.
 *
 * <p>It is live, cannot be changed, and can only be asked by name: a template that prints it whole
 * prints nothing of it.
 */
public final class SettingsMap extends AbstractMap<String, @Nullable Object> {

  private final Settings settings;

  /**
   * Creates the map of settings.
   *
   * @param settings the settings
   */
  public SettingsMap(Settings settings) {
    this.settings = settings;
  }

  /**
   * Returns the same locals, but for {@code settings}, which become a map if they are those of an
   * application.
   *
   * @param locals what a template sees; see {@link TemplateEngine#render}
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
