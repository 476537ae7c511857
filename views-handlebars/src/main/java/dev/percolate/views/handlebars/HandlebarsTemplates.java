package dev.percolate.views.handlebars;

import com.github.jknack.handlebars.Handlebars;
import com.github.jknack.handlebars.Helper;
import com.github.jknack.handlebars.HelperRegistry;
import com.github.jknack.handlebars.Parser;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.cache.TemplateCache;
import com.github.jknack.handlebars.helper.DefaultHelperRegistry;
import com.github.jknack.handlebars.io.AbstractTemplateLoader;
import com.github.jknack.handlebars.io.TemplateSource;
import dev.percolate.framework.TemplateFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

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

  /**
   * A template in a file, in UTF-8, read only when it is compiled.
   *
   * @param path the file: absolute and normalized
   */
  private record Source(Path path) implements TemplateSource {

    @Override
    public String content(Charset charset) throws IOException {
      return Files.readString(path, StandardCharsets.UTF_8);
    }

    @Override
    public String filename() {
      return path.toString();
    }

    @Override
    public long lastModified() {
      return 0;
    }
  }

  /** Loads the partials that one template names. */
  private static final class SiblingLoader extends AbstractTemplateLoader {

    private final TemplateFiles files;
    private final Path template;

    SiblingLoader(TemplateFiles files, Path template) {
      this.files = files;
      this.template = template;
    }

    @Override
    public TemplateSource sourceAt(String name) throws FileNotFoundException {
      return new Source(files.find(name, template));
    }

    /** Returns the name of a partial as messages show it. */
    @Override
    public String resolve(String name) {
      return name;
    }
  }

  /** The helpers of the library but those that run scripts or read files that are no templates. */
  private static final class SafeRegistry extends DefaultHelperRegistry {

    private static final Set<String> UNSAFE = Set.of("precompile", "embedded", "i18n", "i18nJs");

    @Override
    public <C> @Nullable Helper<C> helper(String name) {
      return UNSAFE.contains(name) ? null : super.helper(name);
    }
  }

  HandlebarsTemplates(TemplateFiles files) {
    this.files = files;
  }

  /** Returns the template of a file. */
  Template at(Path file) throws IOException {
    Template known = compiled.get(file);
    if (known != null) {
      return known;
    }
    Template template = compile(file);
    compiled.put(file, template);
    return template;
  }

  /**
   * Returns the template of a source, for the template that has found it; the parser is of that.
   */
  @Override
  public Template get(TemplateSource source, Parser parser) throws IOException {
    return at(files.path(source.filename()));
  }

  @Override
  public void clear() {
    compiled.clear();
  }

  @Override
  public void evict(TemplateSource source) {
    compiled.remove(files.path(source.filename()));
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
        .parse(new Source(file));
  }
}
