package dev.percolate.views.thymeleaf;

import dev.percolate.framework.SettingsMap;
import dev.percolate.framework.TemplateEngine;
import dev.percolate.framework.TemplateFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.cache.StandardCacheManager;
import org.thymeleaf.context.Context;
import org.thymeleaf.exceptions.TemplateProcessingException;

/**
 * Renders templates of Thymeleaf, all of them as HTML; what they print is escaped unless they say
 * {@code th:utext} or {@code [(…)]}.
 *
 * <p>It is found for views with the extensions {@code html} and {@code thymeleaf}; for others it is
 * registered:
 *
 * <pre>{@code
 * app.engine("xhtml", new ThymeleafViews()).set("view engine", "xhtml");
 * }</pre>
 *
 * <p>A template that another one names by a fragment expression, such as {@code ~{layout :: page}},
 * is named relative to the template that names it, else to the setting {@code views}; a name
 * without extension gets that of the template that names it. It must lie in that directory (for a
 * view from elsewhere: in the directory of the view), whatever its name: a name may be made of
 * values. Templates see settings as {@code settings.title} or {@code settings['view engine']}.
 * Parsed templates are kept where the local {@code cache} is true, and then no longer read: it is
 * so in production. Errors name file and line.
 *
 * <p>Expressions are those of OGNL, which Thymeleaf keeps from classes of the JDK that are of no
 * use in pages. Preprocessing, {@code __${…}__}, makes an expression of a value: never let it see
 * text from a request.
 *
 * <p>Thymeleaf logs by SLF4J, which says once on standard error if it has no provider. Which one it
 * gets, such as {@code slf4j-jdk14} or {@code slf4j-nop}, is up to the application.
 */
public final class ThymeleafViews implements TemplateEngine {

  private final Map<TemplateFiles, ITemplateEngine> engines = new ConcurrentHashMap<>();

  /** Creates an engine, with a cache of its own. */
  public ThymeleafViews() {}

  /**
   * Renders a template.
   *
   * @throws org.thymeleaf.exceptions.TemplateEngineException if it, or one that it names, is
   *     absent, ill-formed or fails
   */
  @Override
  public String render(Path file, Map<String, @Nullable Object> locals) {
    Path template = file.toAbsolutePath().normalize();
    ITemplateEngine engine =
        engines.computeIfAbsent(TemplateFiles.of(template, locals), ThymeleafViews::engine);
    Context context = new Context(Locale.getDefault(), SettingsMap.in(locals));
    try {
      return engine.process(template.toString(), context);
    } catch (TemplateProcessingException e) {
      throw located(e);
    }
  }

  @Override
  public List<String> extensions() {
    return List.of("html", "thymeleaf");
  }

  /** Returns the error that tells the line: what fails while a template is read comes wrapped. */
  private static TemplateProcessingException located(TemplateProcessingException error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof TemplateProcessingException located && located.hasLineAndCol()) {
        return located;
      }
    }
    return error;
  }

  private static ITemplateEngine engine(TemplateFiles files) {
    StandardCacheManager cache = new StandardCacheManager();
    cache.setTemplateCacheMaxSize(-1); // no bound, and kept: as many as there are files
    cache.setTemplateCacheUseSoftReferences(false);
    org.thymeleaf.TemplateEngine engine = new org.thymeleaf.TemplateEngine();
    engine.setCacheManager(cache);
    engine.setEngineContextFactory(new NamingContext());
    engine.setTemplateResolver(new ThymeleafResolver(files));
    return engine;
  }
}
