package dev.percolate.views.pebble;

import dev.percolate.core.Settings;
import dev.percolate.framework.TemplateEngine;
import dev.percolate.framework.TemplateFiles;
import io.pebbletemplates.pebble.PebbleEngine;
import io.pebbletemplates.pebble.attributes.AttributeResolver;
import io.pebbletemplates.pebble.attributes.ResolvedAttribute;
import io.pebbletemplates.pebble.extension.AbstractExtension;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Renders templates of Pebble; what they print is escaped for HTML unless they say {@code raw}.
 *
 * <p>It is found for views with the extensions {@code peb} and {@code pebble}; for others it is
 * registered:
 *
 * <pre>{@code
 * app.engine("html", new PebbleViews()).set("view engine", "html");
 * }</pre>
 *
 * <p>A template that another one extends, includes or imports is named with its extension, relative
 * to the template that names it, else to the setting {@code views}. It must lie in that directory
 * (for a view from elsewhere: in the directory of the view), whatever its name: a name may be made
 * of values. Templates see settings as {@code settings.title} or {@code settings["view engine"]}.
 * Compiled templates are kept where the local {@code cache} is true, and then no longer read: it is
 * so in production. Errors name file and line.
 *
 * <p>Pebble logs by SLF4J, which says once on standard error if it has no provider. Which one it
 * gets, such as {@code slf4j-jdk14} or {@code slf4j-nop}, is up to the application.
 */
public final class PebbleViews implements TemplateEngine {

  private final Map<TemplateFiles, PebbleEngine> engines = new ConcurrentHashMap<>();

  /** Lets templates read settings as if they were a map. */
  private static final class SettingsExtension extends AbstractExtension {

    @Override
    public List<AttributeResolver> getAttributeResolver() {
      return List.of(
          (instance, name, values, arguments, context, file, line) ->
              instance instanceof Settings settings && arguments == null
                  ? new ResolvedAttribute(settings.get(String.valueOf(name)))
                  : null);
    }
  }

  /** Creates an engine, with a cache of its own. */
  public PebbleViews() {}

  /**
   * Renders a template.
   *
   * @throws io.pebbletemplates.pebble.error.PebbleException if it, or one that it names, is absent,
   *     ill-formed or fails
   * @throws java.io.IOException if writing fails
   */
  @Override
  public String render(Path file, Map<String, @Nullable Object> locals) throws Exception {
    Path template = file.toAbsolutePath().normalize();
    StringWriter text = new StringWriter();
    engines
        .computeIfAbsent(TemplateFiles.of(template, locals), PebbleViews::engine)
        .getTemplate(template.toString())
        .evaluate(text, locals);
    return text.toString();
  }

  @Override
  public List<String> extensions() {
    return List.of("peb", "pebble");
  }

  private static PebbleEngine engine(TemplateFiles files) {
    return new PebbleEngine.Builder()
        .loader(new PebbleLoader(files))
        .extension(new SettingsExtension())
        .cacheActive(files.cached())
        .build();
  }
}
