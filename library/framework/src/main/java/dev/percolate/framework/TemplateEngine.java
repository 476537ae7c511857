package dev.percolate.framework;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Renders text from a template file and values; registered by {@link App#engine}.
 *
 * <p>An engine that is a service provider of this type needs no registration: it is found by the
 * file extension of a view ({@link #extensions()}). A shaded jar must merge the files in {@code
 * META-INF/services}; the Maven Shade plugin does so with the {@code ServicesResourceTransformer}.
 *
 * <p>Implementations must be thread-safe. {@link TemplateFiles} finds the templates that a template
 * refers to. Step 7c of docs/flow.md.
 */
@FunctionalInterface
public interface TemplateEngine {

  /**
   * Renders a template on the calling thread, which blocks.
   *
   * @param file the absolute path of the template
   * @param locals the values for the template, in a new map. They include {@code settings}, the
   *     {@link dev.percolate.core.Settings} of the application unless another local has this name,
   *     and {@code cache}, which is true if the engine may cache the compiled template
   * @return the rendered text
   * @throws Exception if the template cannot be read or fails
   */
  String render(Path file, Map<String, @Nullable Object> locals) throws Exception;

  /**
   * Returns the file extensions for which this engine is used without registration.
   *
   * @return extensions such as {@code html}, without the dot; empty by default
   */
  default List<String> extensions() {
    return List.of();
  }

  /**
   * Returns true if a method is an accessor of a record component. Template engines on libraries
   * that do not support records let templates call such methods like getters of beans.
   *
   * @param method a method of a value in a template
   * @return true if it is the accessor of a record component
   */
  static boolean isComponent(Method method) {
    Class<?> type = method.getDeclaringClass();
    return type.isRecord()
        && Arrays.stream(type.getRecordComponents())
            .anyMatch(component -> component.getAccessor().equals(method));
  }
}
