package dev.percolate.views.pug;

import de.neuland.pug4j.PugEngine;
import dev.percolate.framework.SettingsMap;
import dev.percolate.framework.TemplateEngine;
import dev.percolate.framework.TemplateFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Renders templates of Pug by pug4j; what they print is escaped for HTML unless they say {@code !=}
 * or {@code !{…}}.
 *
 * <p>It is found for views with the extensions {@code pug} and {@code jade}; for others it is
 * registered:
 *
 * <pre>{@code
 * app.engine("html", new PugViews()).set("view engine", "html");
 * }</pre>
 *
 * <p>A template that another one extends or includes is named relative to the template that names
 * it, or by a leading slash relative to the setting {@code views}; Pug adds the extension. It must
 * lie in that directory (for a view from elsewhere: in the directory of the view). Templates see
 * settings as {@code settings.title} or {@code settings["view engine"]}. Parsed templates are kept
 * where the local {@code cache} is true, and then no longer read: it is so in production. Errors
 * name file and line in their {@code toString()}.
 *
 * <p>Expressions are those of Apache JEXL, not JavaScript. They may call any public method of what
 * they are given: values never become expressions, but templates are code, to be trusted as such.
 *
 * <p>pug4j logs by SLF4J and Commons Logging. SLF4J says once on standard error if it has no
 * provider; which one it gets, such as {@code slf4j-jdk14} or {@code slf4j-nop}, is up to the
 * application.
 */
public final class PugViews implements TemplateEngine {

  private final Map<PugLoader, PugEngine> engines = new ConcurrentHashMap<>();

  /** Creates an engine, with a cache of its own. */
  public PugViews() {}

  /**
   * Renders a template.
   *
   * @throws de.neuland.pug4j.exceptions.PugException if it is ill-formed or fails, or one that it
   *     names is absent
   * @throws java.io.IOException if it cannot be read
   */
  @Override
  public String render(Path file, Map<String, @Nullable Object> locals) throws Exception {
    Path template = file.toAbsolutePath().normalize();
    TemplateFiles files = TemplateFiles.of(template, locals);
    PugLoader loader = new PugLoader(files, extension(template));
    PugEngine engine = engines.computeIfAbsent(loader, PugViews::engine);
    String name = files.root().relativize(template).toString();
    return engine.render(engine.getTemplate(name), SettingsMap.in(locals));
  }

  @Override
  public List<String> extensions() {
    return List.of("pug", "jade");
  }

  private static String extension(Path template) {
    String name = template.getFileName().toString();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static PugEngine engine(PugLoader loader) {
    return PugEngine.builder().templateLoader(loader).caching(loader.files().cached()).build();
  }
}
