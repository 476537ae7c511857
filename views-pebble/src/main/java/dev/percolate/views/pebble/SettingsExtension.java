package dev.percolate.views.pebble;

import dev.percolate.core.Settings;
import io.pebbletemplates.pebble.attributes.AttributeResolver;
import io.pebbletemplates.pebble.attributes.ResolvedAttribute;
import io.pebbletemplates.pebble.extension.AbstractExtension;
import java.util.List;

/** Lets templates read settings as if they were a map. */
final class SettingsExtension extends AbstractExtension {

  @Override
  public List<AttributeResolver> getAttributeResolver() {
    return List.of(
        (instance, name, values, arguments, context, file, line) ->
            instance instanceof Settings settings && arguments == null
                ? new ResolvedAttribute(settings.get(String.valueOf(name)))
                : null);
  }
}
