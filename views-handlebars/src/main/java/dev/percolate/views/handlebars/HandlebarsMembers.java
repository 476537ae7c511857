package dev.percolate.views.handlebars;

import com.github.jknack.handlebars.context.JavaBeanValueResolver;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/** Lets templates read the properties of beans and the components of records; never classes. */
final class HandlebarsMembers extends JavaBeanValueResolver {

  static final HandlebarsMembers INSTANCE = new HandlebarsMembers();

  /** Gives the methods that templates may call; of maps none, since these have keys. */
  @Override
  protected Set<Method> members(Class<?> type) {
    return Map.class.isAssignableFrom(type) ? Set.of() : super.members(type);
  }

  @Override
  public boolean matches(Method method, String name) {
    if (Class.class.isAssignableFrom(method.getReturnType())) {
      return false; // from a class, templates could go on to its loader
    }
    return isComponent(method) ? method.getName().equals(name) : super.matches(method, name);
  }

  @Override
  protected String memberName(Method method) {
    return isComponent(method) ? method.getName() : super.memberName(method);
  }

  private static boolean isComponent(Method method) {
    Class<?> type = method.getDeclaringClass();
    return type.isRecord()
        && Arrays.stream(type.getRecordComponents())
            .anyMatch(component -> component.getAccessor().equals(method));
  }
}
