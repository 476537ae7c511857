package dev.percolate.views.freemarker;

import dev.percolate.core.Settings;
import freemarker.template.Configuration;
import freemarker.template.DefaultObjectWrapper;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import freemarker.template.Version;

/** Shows values to templates: what {@link FreemarkerMembers} lets through; settings as if a map. */
final class FreemarkerWrapper extends DefaultObjectWrapper {

  /** The behaviour asked for, not the library's version: it is raised by hand. */
  static final Version VERSION = Configuration.VERSION_2_3_35;

  FreemarkerWrapper() {
    super(VERSION);
    setMemberAccessPolicy(new FreemarkerMembers());
    writeProtect();
  }

  @Override
  protected TemplateModel handleUnknownType(Object value) throws TemplateModelException {
    return value instanceof Settings settings
        ? new SettingsModel(settings, this)
        : super.handleUnknownType(value);
  }
}
