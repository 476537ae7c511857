package dev.percolate.views.pebble;

import dev.percolate.core.Settings;
import dev.percolate.framework.TemplateEngine;
import io.pebbletemplates.pebble.PebbleEngine;
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

  private final Map<Shelf, PebbleEngine> engines = new ConcurrentHashMap<>();

  /**
   * Where templates come from, and whether they stay compiled.
   *
   * @param root the directory that none may leave
   * @param cached whether they stay
   */
  private record Shelf(Path root, boolean cached) {}

  /** Makes an engine, with a cache of its own. */
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
    boolean cached = Boolean.TRUE.equals(locals.get("cache"));
    Shelf shelf = new Shelf(root(template, locals.get("settings")), cached);
    StringWriter text = new StringWriter();
    engines
        .computeIfAbsent(shelf, PebbleViews::engine)
        .getTemplate(template.toString())
        .evaluate(text, locals);
    return text.toString();
  }

  @Override
  public List<String> extensions() {
    return List.of("peb", "pebble");
  }

  /** Gives the directory of all views, or that of a view from elsewhere. */
  private static Path root(Path template, @Nullable Object settings) {
    if (settings instanceof Settings known && known.get("views") != null) {
      Path views = Path.of(String.valueOf(known.get("views"))).toAbsolutePath().normalize();
      if (template.startsWith(views)) {
        return views;
      }
    }
    return template.getParent();
  }

  private static PebbleEngine engine(Shelf shelf) {
    return new PebbleEngine.Builder()
        .loader(new TemplateFiles(shelf.root()))
        .extension(new SettingsExtension())
        .cacheActive(shelf.cached())
        .build();
  }
}
