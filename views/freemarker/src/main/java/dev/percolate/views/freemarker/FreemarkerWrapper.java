package dev.percolate.views.freemarker;

import dev.percolate.core.Settings;
import dev.percolate.framework.TemplateEngine;
import freemarker.ext.beans.ClassMemberAccessPolicy;
import freemarker.ext.beans.DefaultMemberAccessPolicy;
import freemarker.ext.beans.MemberAccessPolicy;
import freemarker.template.Configuration;
import freemarker.template.DefaultObjectWrapper;
import freemarker.template.ObjectWrapper;
import freemarker.template.TemplateHashModel;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import freemarker.template.Version;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
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
    setMemberAccessPolicy(new FreemarkerMembers(DefaultMemberAccessPolicy.getInstance(VERSION)));
    writeProtect();
  }

  @Override
  protected TemplateModel handleUnknownType(Object value) throws TemplateModelException {
    return value instanceof Settings settings
        ? new SettingsModel(settings, this)
        : super.handleUnknownType(value);
  }

  /**
   * Lets templates read bean properties and record components, if the library's own policy allows
   * it. They can neither read classes nor call other methods.
   */
  private record FreemarkerMembers(MemberAccessPolicy usual) implements MemberAccessPolicy {

    private record OfClass(ClassMemberAccessPolicy usual) implements ClassMemberAccessPolicy {

      @Override
      public boolean isMethodExposed(Method method) {
        return (isGetter(method) || TemplateEngine.isComponent(method))
            && !Class.class.isAssignableFrom(method.getReturnType()) // has the class loader
            && usual.isMethodExposed(method);
      }

      @Override
      public boolean isConstructorExposed(Constructor<?> constructor) {
        return false;
      }

      @Override
      public boolean isFieldExposed(Field field) {
        return usual.isFieldExposed(field);
      }
    }

    @Override
    public ClassMemberAccessPolicy forClass(Class<?> type) {
      return new OfClass(usual.forClass(type));
    }

    /** Returns true, since any value may be printed. */
    @Override
    public boolean isToStringAlwaysExposed() {
      return true;
    }

    private static boolean isGetter(Method method) {
      String name = method.getName();
      return method.getParameterCount() == 0 && (name.startsWith("get") || name.startsWith("is"));
    }
  }
}
