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
 * extension of a view ({@link #extensions()}). What makes one jar of several must put their files
 * in {@code META-INF/services} together, as the {@code ServicesResourceTransformer} of Maven's
 * Shade plugin does. Any number of threads may call it at the same time. Templates that a template
 * names are found by {@link TemplateFiles}. Step 7c of docs/flow.md.
 */
@FunctionalInterface
public interface TemplateEngine {

  /**
   * Renders a template, on the thread of the step that asks, which waits.
   *
   * @param file the template: an absolute path
   * @param locals what the template sees, a map of this rendering alone; among it {@code settings}
   *     (the {@link dev.percolate.core.Settings} of the application, unless a local of this name
   *     hides them) and {@code cache}: whether the engine may keep what it has read of the file
   * @return the text
   * @throws Exception if the template cannot be read, or fails
   */
  String render(Path file, Map<String, @Nullable Object> locals) throws Exception;

  /**
   * Returns the extensions of files for which this engine may be found without registration.
   *
   * @return extensions such as {@code html}, without the dot; none unless overridden
   */
  default List<String> extensions() {
    return List.of();
  }

  /**
   * Tells whether a method reads a component of a record, so that templates may call it as they may
   * call the getters of beans; for engines on libraries that do not know records.
   *
   * @param method a method of what a template sees
   * @return whether it is the accessor of a component
   */
  static boolean isComponent(Method method) {
    Class<?> type = method.getDeclaringClass();
    return type.isRecord()
        && Arrays.stream(type.getRecordComponents())
            .anyMatch(component -> component.getAccessor().equals(method));
  }
}
