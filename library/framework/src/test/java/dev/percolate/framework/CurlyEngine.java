package dev.percolate.framework;

import dev.percolate.core.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Replaces {@code {{a.b}}} and fails at {@code {{!throw}}}; reads the file on each call. */
final class CurlyEngine implements TemplateEngine {

  @Override
  public String render(Path file, Map<String, @Nullable Object> locals) throws Exception {
    String template = Files.readString(file);
    StringBuilder text = new StringBuilder();
    int done = 0;
    for (int open = template.indexOf("{{"); open >= 0; open = template.indexOf("{{", done)) {
      int close = template.indexOf("}}", open);
      text.append(template, done, open).append(value(template.substring(open + 2, close), locals));
      done = close + 2;
    }
    return text.append(template, done, template.length()).toString();
  }

  private static Object value(String path, Object locals) {
    if (path.equals("!throw")) {
      throw new IllegalStateException("template failed");
    }
    Object value = locals;
    for (String name : path.split("\\.", -1)) {
      if (value instanceof Map<?, ?> map) {
        value = map.get(name);
      } else {
        value = value instanceof Settings settings ? settings.get(name) : null;
      }
    }
    return value == null ? "" : value;
  }
}
