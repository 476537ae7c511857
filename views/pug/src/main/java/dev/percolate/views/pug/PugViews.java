package dev.percolate.views.pug;

import de.neuland.pug4j.PugEngine;
import de.neuland.pug4j.template.TemplateLoader;
import dev.percolate.framework.SettingsMap;
import dev.percolate.framework.TemplateEngine;
import dev.percolate.framework.TemplateFiles;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Renders Pug templates with pug4j. Output is escaped for HTML, except with {@code !=} or {@code
 * !{…}}.
 *
 * <p>Used automatically for views with the extensions {@code pug} and {@code jade}. Register it for
 * other extensions:
 *
 * <pre>{@code
 * app.engine("html", new PugViews()).set("view engine", "html");
 * }</pre>
 *
 * <p>A template extends or includes others by names relative to the template itself or, with a
 * leading slash, to the setting {@code views}. Pug adds the extension. A name cannot refer to a
 * file outside that directory. For a view outside that directory, the directory of the view is used
 * instead.
 *
 * <p>Templates read settings as {@code settings.title} or {@code settings["view engine"]}. If the
 * local {@code cache} is true, as in production, parsed templates are cached and changes to the
 * files have no effect. The {@code toString()} of an error contains the file and line.
 *
 * <p>Expressions use Apache JEXL, not JavaScript, and may call any public method of the locals.
 * Values are never evaluated as expressions, but templates are code and must be trusted.
 *
 * <p>pug4j logs with SLF4J and Commons Logging. SLF4J prints a warning to standard error if it
 * finds no provider. Add a provider such as {@code slf4j-jdk14}, or {@code slf4j-nop} to discard
 * the log.
 */
public final class PugViews implements TemplateEngine {

  private final Map<PugLoader, PugEngine> engines = new ConcurrentHashMap<>();

  /** Creates an engine with its own cache. */
  public PugViews() {}

  /**
   * Renders a template.
   *
   * @throws de.neuland.pug4j.exceptions.PugException if the template is invalid or fails, or if a
   *     referenced template is missing
   * @throws java.io.IOException if the template cannot be read
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

  /**
   * Reads UTF-8 templates from the views directory. pug4j resolves each name to a path relative to
   * that directory.
   *
   * @param files the directory
   * @param extension the extension to add to names without one
   */
  private record PugLoader(TemplateFiles files, String extension) implements TemplateLoader {

    /** Returns the text in memory, since pug4j does not close readers. */
    @Override
    public Reader getReader(String name) throws IOException {
      String relative = name.startsWith("/") ? name.substring(1) : name;
      Path file = files.find(relative, files.root().resolve("view." + extension));
      return new StringReader(Files.readString(file, StandardCharsets.UTF_8));
    }

    /** Returns a constant, since changes to cached templates have no effect. */
    @Override
    public long getLastModified(String name) {
      return 0;
    }

    @Override
    public String getExtension() {
      return extension;
    }

    @Override
    public String getBase() {
      return "";
    }
  }
}
