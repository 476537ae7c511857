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
 * The compiled templates of one directory, kept for one rendering or forever.
 *
 * <p>Each template is compiled by its own {@code Handlebars} instance, since a loader is not told
 * which template references a partial.
 */
final class HandlebarsTemplates implements TemplateCache {

  private static final HelperRegistry HELPERS = new SafeRegistry();

  private final Map<Path, Template> compiled = new ConcurrentHashMap<>();
  private final TemplateFiles files;

  /**
   * A template in a UTF-8 file, which is read only when it is compiled.
   *
   * @param path the absolute and normalized path of the file
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

  /** Loads the partials of one template. */
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

    /** Returns the name of a partial for error messages. */
    @Override
    public String resolve(String name) {
      return name;
    }
  }

  /** The helpers of the library, except those that run scripts or read other files. */
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
   * Returns the template of a source. Ignores the parser, which belongs to the referencing
   * template.
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
    return this; // cached templates are never reloaded
  }

  private Template compile(Path file) throws IOException {
    // Allows recursive partials, such as for a tree of comments.
    Handlebars handlebars =
        new Handlebars(new SiblingLoader(files, file)).with(HELPERS).with(this).infiniteLoops(true);
    return handlebars
        .getParserFactory()
        .create(handlebars, Handlebars.DELIM_START, Handlebars.DELIM_END)
        .parse(new Source(file));
  }
}
