package dev.percolate.views.freemarker;

import dev.percolate.framework.TemplateEngine;
import freemarker.ext.beans.ClassMemberAccessPolicy;
import freemarker.ext.beans.DefaultMemberAccessPolicy;
import freemarker.ext.beans.MemberAccessPolicy;
import freemarker.template.Version;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * Lets templates read bean properties and record components, if the library's own policy allows it.
 * They can neither read classes nor call other methods.
 */
final class FreemarkerMembers implements MemberAccessPolicy {

  private final MemberAccessPolicy usual;

  FreemarkerMembers(Version version) {
    usual = DefaultMemberAccessPolicy.getInstance(version);
  }

  private record OfClass(ClassMemberAccessPolicy usual) implements ClassMemberAccessPolicy {

    @Override
    public boolean isMethodExposed(Method method) {
      return (isGetter(method) || TemplateEngine.isComponent(method))
          && !Class.class.isAssignableFrom(method.getReturnType()) // would expose the class loader
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
