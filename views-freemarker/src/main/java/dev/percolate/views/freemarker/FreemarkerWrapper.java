package dev.percolate.views.freemarker;

import dev.percolate.core.Settings;
import freemarker.template.Configuration;
import freemarker.template.DefaultObjectWrapper;
import freemarker.template.ObjectWrapper;
import freemarker.template.TemplateHashModel;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import freemarker.template.Version;
import org.jspecify.annotations.Nullable;

/** Shows values to templates: what {@link FreemarkerMembers} lets through; settings as if a map. */
final class FreemarkerWrapper extends DefaultObjectWrapper {

  /** The behaviour asked for, not the library's version: it is raised by hand. */
  static final Version VERSION = Configuration.VERSION_2_3_35;

  /**
   * Lets templates read settings as if they were a map.
   *
   * @param settings the settings
   * @param wrapper shows their values
   */
  private record SettingsModel(Settings settings, ObjectWrapper wrapper)
      implements TemplateHashModel {

    @Override
    public @Nullable TemplateModel get(String name) throws TemplateModelException {
      return wrapper.wrap(settings.get(name));
    }

    @Override
    public boolean isEmpty() {
      return false;
    }
  }

  FreemarkerWrapper() {
    super(VERSION);
    setMemberAccessPolicy(new FreemarkerMembers(VERSION));
    writeProtect();
  }

  @Override
  protected TemplateModel handleUnknownType(Object value) throws TemplateModelException {
    return value instanceof Settings settings
        ? new SettingsModel(settings, this)
        : super.handleUnknownType(value);
  }
}
