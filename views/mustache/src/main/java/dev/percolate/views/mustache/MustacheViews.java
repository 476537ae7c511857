package dev.percolate.views.mustache;

import dev.percolate.framework.TemplateEngine;
import dev.percolate.framework.TemplateFiles;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Renders Mustache templates. Output is escaped for HTML, except with {@code {{{…}}}} or {@code
 * {{&…}}}.
 *
 * <p>Used automatically for views with the extension {@code mustache}. Register it for other
 * extensions:
 *
 * <pre>{@code
 * app.engine("html", new MustacheViews()).set("view engine", "html");
 * }</pre>
 *
 * <p>The name of a partial or parent is relative to the template itself, or else to the setting
 * {@code views}. A name without an extension gets the extension of the template. A name cannot
 * refer to a file outside that directory, even if it contains user input, as in {@code {{>*name}}}.
 * For a view outside that directory, the directory of the view is used instead. A layout is a
 * parent: {@code {{<layout}}{{$title}}…{{/title}}{{/layout}}}.
 *
 * <p>Templates read map entries, bean properties, public fields and record components, and settings
 * as {@code settings.title}. If the local {@code cache} is true, as in production, compiled
 * templates are cached and changes to the files have no effect. Error messages contain the file and
 * line.
 */
public final class MustacheViews implements TemplateEngine {

  private final Map<TemplateFiles, MustacheTemplates> kept = new ConcurrentHashMap<>();

  /** Creates an engine with its own cache. */
  public MustacheViews() {}

  /**
   * Renders a template.
   *
   * @throws com.github.mustachejava.MustacheException if the template, or one that it references,
   *     is missing, invalid or fails
   */
  @Override
  public String render(Path file, Map<String, @Nullable Object> locals) {
    TemplateFiles files = TemplateFiles.of(file, locals);
    MustacheTemplates templates =
        files.cached()
            ? kept.computeIfAbsent(files, MustacheTemplates::new)
            : new MustacheTemplates(files);
    StringWriter text = new StringWriter();
    templates.at(file.toAbsolutePath().normalize()).execute(text, locals);
    return text.toString();
  }

  @Override
  public List<String> extensions() {
    return List.of("mustache");
  }
}
