package dev.percolate.views.mustache;

import com.github.mustachejava.reflect.ReflectionObjectHandler;
import dev.percolate.core.Settings;
import dev.percolate.framework.SettingsMap;
import dev.percolate.framework.TemplateEngine;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * Lets templates read bean properties, public fields, record components and settings. They can
 * neither read classes nor call other methods.
 */
final class MustacheMembers extends ReflectionObjectHandler {

  @Override
  public @Nullable Object coerce(@Nullable Object value) {
    return value instanceof Settings settings ? new SettingsMap(settings) : super.coerce(value);
  }

  @Override
  @SuppressWarnings("rawtypes") // as in the superclass
  protected @Nullable AccessibleObject findMember(Class type, String name) {
    try {
      return super.findMember(type, name);
    } catch (InaccessibleObjectException e) {
      return null; // the module of the class does not export it
    }
  }

  @Override
  protected void checkMethod(Method method) throws NoSuchMethodException {
    String name = method.getName();
    boolean getter =
        name.startsWith("get") || name.startsWith("is") || TemplateEngine.isComponent(method);
    if (!getter
        || !Modifier.isPublic(method.getModifiers())
        || Class.class.isAssignableFrom(method.getReturnType())) {
      throw new NoSuchMethodException(name);
    }
  }

  @Override
  protected void checkField(Field field) throws NoSuchFieldException {
    if (!Modifier.isPublic(field.getModifiers())) {
      throw new NoSuchFieldException(field.getName());
    }
  }
}
