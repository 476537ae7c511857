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
 * Renders templates of Mustache; what they print is escaped for HTML unless they say {@code
 * {{{…}}}} or {@code {{&…}}}.
 *
 * <p>It is found for views with the extension {@code mustache}; for others it is registered:
 *
 * <pre>{@code
 * app.engine("html", new MustacheViews()).set("view engine", "html");
 * }</pre>
 *
 * <p>A partial, or a parent, is named relative to the template that names it, else to the setting
 * {@code views}; without an extension it has that of the template. It must lie in that directory
 * (for a view from elsewhere: in the directory of the view), whatever its name: a name may be made
 * of values, as in {@code {{>*name}}}. A layout is a parent: {@code
 * {{<layout}}{{$title}}…{{/title}}{{/layout}}}. Compiled templates are kept where the local {@code
 * cache} is true, and then no longer read: it is so in production. Errors name file and line.
 *
 * <p>Templates see the keys of maps, the properties of beans, public fields and the components of
 * records, and settings as {@code settings.title}.
 */
public final class MustacheViews implements TemplateEngine {

  private final Map<TemplateFiles, MustacheTemplates> kept = new ConcurrentHashMap<>();

  /** Creates an engine, with a cache of its own. */
  public MustacheViews() {}

  /**
   * Renders a template.
   *
   * @throws com.github.mustachejava.MustacheException if it, or one that it names, is absent,
   *     ill-formed or fails
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
