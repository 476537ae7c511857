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

/** Exposes values to templates as {@link FreemarkerMembers} allows, and settings like a map. */
final class FreemarkerWrapper extends DefaultObjectWrapper {

  /** The version whose behaviour is used, independent of the version of the library. */
  static final Version VERSION = Configuration.VERSION_2_3_35;

  /**
   * Lets templates read settings like the entries of a map.
   *
   * @param settings the settings
   * @param wrapper wraps their values
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
