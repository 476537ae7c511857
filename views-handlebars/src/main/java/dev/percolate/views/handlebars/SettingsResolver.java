package dev.percolate.views.handlebars;

import com.github.jknack.handlebars.ValueResolver;
import dev.percolate.core.Settings;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lets templates read settings as if they were a map. */
final class SettingsResolver implements ValueResolver {

  static final SettingsResolver INSTANCE = new SettingsResolver();

  @Override
  public @Nullable Object resolve(Object context, String name) {
    return context instanceof Settings settings ? settings.get(name) : UNRESOLVED;
  }

  @Override
  public Object resolve(Object context) {
    return context instanceof Settings ? context : UNRESOLVED;
  }

  /** Gives nothing: settings cannot be listed. */
  @Override
  public Set<Map.Entry<String, Object>> propertySet(Object context) {
    return Set.of();
  }
}
