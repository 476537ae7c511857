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
 * Renders Thymeleaf templates as HTML. Output is escaped, except with {@code th:utext} or {@code
 * [(…)]}.
 *
 * <p>Used automatically for views with the extensions {@code html} and {@code thymeleaf}. Register
 * it for other extensions:
 *
 * <pre>{@code
 * app.engine("xhtml", new ThymeleafViews()).set("view engine", "xhtml");
 * }</pre>
 *
 * <p>Template names in fragment expressions, such as {@code ~{layout :: page}}, are relative to the
 * template itself, or else to the setting {@code views}. A name without an extension gets the
 * extension of the template. A name cannot refer to a file outside that directory, even if it
 * contains user input. For a view outside that directory, the directory of the view is used
 * instead.
 *
 * <p>Templates read settings as {@code settings.title} or {@code settings['view engine']}. If the
 * local {@code cache} is true, as in production, parsed templates are cached and changes to the
 * files have no effect. Error messages contain the file and line.
 *
 * <p>Expressions use OGNL, in which Thymeleaf blocks access to most classes of the JDK.
 * Preprocessing, {@code __${…}__}, evaluates a value as an expression: never use it with text from
 * a request.
 *
 * <p>Thymeleaf logs with SLF4J, which prints a warning to standard error if it finds no provider.
 * Add a provider such as {@code slf4j-jdk14}, or {@code slf4j-nop} to discard the log.
 */
public final class ThymeleafViews implements TemplateEngine {

  private final Map<TemplateFiles, ITemplateEngine> engines = new ConcurrentHashMap<>();

  /** Creates an engine with its own cache. */
  public ThymeleafViews() {}

  /**
   * Renders a template.
   *
   * @throws org.thymeleaf.exceptions.TemplateEngineException if the template, or one that it
   *     references, is missing, invalid or fails
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

  /** Returns the cause that contains the line number, since errors while parsing are wrapped. */
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
    cache.setTemplateCacheMaxSize(-1); // unlimited; there is one entry per file
    cache.setTemplateCacheUseSoftReferences(false);
    org.thymeleaf.TemplateEngine engine = new org.thymeleaf.TemplateEngine();
    engine.setCacheManager(cache);
    engine.setEngineContextFactory(new NamingContext());
    engine.setTemplateResolver(new ThymeleafResolver(files));
    return engine;
  }
}
