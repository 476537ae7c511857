package dev.percolate.views.handlebars;

import com.github.jknack.handlebars.Handlebars;
import com.github.jknack.handlebars.HelperRegistry;
import com.github.jknack.handlebars.Parser;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.cache.TemplateCache;
import com.github.jknack.handlebars.io.TemplateSource;
import dev.percolate.framework.TemplateFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Holds the compiled templates of one directory, of one rendering or for good.
 *
 * <p>Each template is compiled by a {@code Handlebars} of its own: a loader is asked for a partial
 * without being told by which template, so each template needs a loader that knows.
 */
final class HandlebarsTemplates implements TemplateCache {

  private static final HelperRegistry HELPERS = new SafeRegistry();

  private final Map<Path, Template> compiled = new ConcurrentHashMap<>();
  private final TemplateFiles files;

  HandlebarsTemplates(TemplateFiles files) {
    this.files = files;
  }

  /** Gives the template of a file. */
  Template at(Path file) throws IOException {
    Template known = compiled.get(file);
    if (known != null) {
      return known;
    }
    Template template = compile(file);
    compiled.put(file, template);
    return template;
  }

  /** Gives the template of a source, for the template that has found it; the parser is of that. */
  @Override
  public Template get(TemplateSource source, Parser parser) throws IOException {
    return at(Path.of(source.filename()));
  }

  @Override
  public void clear() {
    compiled.clear();
  }

  @Override
  public void evict(TemplateSource source) {
    compiled.remove(Path.of(source.filename()));
  }

  @Override
  public TemplateCache setReload(boolean reload) {
    return this; // what is kept is kept for good
  }

  private Template compile(Path file) throws IOException {
    // A partial may call itself: trees, such as comments on comments, are printed like that.
    Handlebars handlebars =
        new Handlebars(new SiblingLoader(files, file)).with(HELPERS).with(this).infiniteLoops(true);
    return handlebars
        .getParserFactory()
        .create(handlebars, Handlebars.DELIM_START, Handlebars.DELIM_END)
        .parse(new HandlebarsFile(file));
  }
}
