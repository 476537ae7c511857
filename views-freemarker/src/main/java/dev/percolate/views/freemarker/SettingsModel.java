package dev.percolate.views.freemarker;

import dev.percolate.core.Settings;
import freemarker.template.ObjectWrapper;
import freemarker.template.TemplateHashModel;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import org.jspecify.annotations.Nullable;

/**
 * Lets templates read settings as if they were a map.
 *
 * @param settings the settings
 * @param wrapper shows their values
 */
record SettingsModel(Settings settings, ObjectWrapper wrapper) implements TemplateHashModel {

  @Override
  public @Nullable TemplateModel get(String name) throws TemplateModelException {
    return wrapper.wrap(settings.get(name));
  }

  @Override
  public boolean isEmpty() {
    return false;
  }
}
