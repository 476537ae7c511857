package dev.percolate.views.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.Handlebars;
import com.github.jknack.handlebars.Helper;
import com.github.jknack.handlebars.HelperRegistry;
import com.github.jknack.handlebars.Parser;
import com.github.jknack.handlebars.Template;
import com.github.jknack.handlebars.ValueResolver;
import com.github.jknack.handlebars.cache.TemplateCache;
import com.github.jknack.handlebars.context.JavaBeanValueResolver;
import com.github.jknack.handlebars.context.MapValueResolver;
import com.github.jknack.handlebars.helper.DefaultHelperRegistry;
import com.github.jknack.handlebars.io.AbstractTemplateLoader;
import com.github.jknack.handlebars.io.TemplateSource;
import dev.percolate.core.Settings;
import dev.percolate.framework.TemplateEngine;
import dev.percolate.framework.TemplateFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Renders Handlebars templates. Output is escaped for HTML, except with {@code {{{…}}}}.
 *
 * <p>Used automatically for views with the extensions {@code hbs} and {@code handlebars}. Register
 * it for other extensions:
 *
 * <pre>{@code
 * app.engine("html", new HandlebarsViews()).set("view engine", "html");
 * }</pre>
 *
 * <p>The name of a partial is relative to the template itself, or else to the setting {@code
 * views}. A name without an extension gets the extension of the template. A name cannot refer to a
 * file outside that directory, even if it contains user input. For a view outside that directory,
 * the directory of the view is used instead.
 *
 * <p>A layout is a partial that prints a block with {@code {{> @partial-block}}}, or that has named
 * blocks with the helpers {@code block} and {@code partial}.
 *
 * <p>Templates read map entries, bean properties and record components, and settings as {@code
 * settings.title} or {@code settings.[view engine]}. The built-in helpers that run scripts or read
 * other files are not available: {@code precompile}, {@code embedded}, {@code i18n} and {@code
 * i18nJs}. If the local {@code cache} is true, as in production, compiled templates are cached and
 * changes to the files have no effect. Error messages contain the file and line.
 *
 * <p>Handlebars logs with SLF4J, which prints a warning to standard error if it finds no provider.
 * Add a provider such as {@code slf4j-jdk14}, or {@code slf4j-nop} to discard the log.
 */
public final class HandlebarsViews implements TemplateEngine {

  private final Map<TemplateFiles, HandlebarsTemplates> kept = new ConcurrentHashMap<>();

  /** Lets templates read settings like the entries of a map. */
  private static final class SettingsResolver implements ValueResolver {

    private static final SettingsResolver INSTANCE = new SettingsResolver();

    @Override
    public @Nullable Object resolve(Object context, String name) {
      return context instanceof Settings settings ? settings.get(name) : UNRESOLVED;
    }

    @Override
    public Object resolve(Object context) {
      return context instanceof Settings ? context : UNRESOLVED;
    }

    /** Returns an empty set, since settings cannot be listed. */
    @Override
    public Set<Map.Entry<String, Object>> propertySet(Object context) {
      return Set.of();
    }
  }

  /** Lets templates read bean properties and record components, but not classes. */
  private static final class MemberResolver extends JavaBeanValueResolver {

    private static final MemberResolver INSTANCE = new MemberResolver();

    /** Returns the methods that templates may call; none for maps, whose keys are read instead. */
    @Override
    protected Set<Method> members(Class<?> type) {
      return Map.class.isAssignableFrom(type) ? Set.of() : super.members(type);
    }

    @Override
    public boolean matches(Method method, String name) {
      if (Class.class.isAssignableFrom(method.getReturnType())) {
        return false; // a class would give templates access to its class loader
      }
      return TemplateEngine.isComponent(method)
          ? method.getName().equals(name)
          : super.matches(method, name);
    }

    @Override
    protected String memberName(Method method) {
      return TemplateEngine.isComponent(method) ? method.getName() : super.memberName(method);
    }
  }

  /** Creates an engine with its own cache. */
  public HandlebarsViews() {}

  /**
   * Renders a template.
   *
   * @throws com.github.jknack.handlebars.HandlebarsException if the template, or one that it
   *     references, is invalid or fails, or if a referenced template is missing
   * @throws java.io.IOException if the template cannot be read
   */
  @Override
  public String render(Path file, Map<String, @Nullable Object> locals) throws Exception {
    TemplateFiles files = TemplateFiles.of(file, locals);
    HandlebarsTemplates templates =
        files.cached()
            ? kept.computeIfAbsent(files, HandlebarsTemplates::new)
            : new HandlebarsTemplates(files);
    Context context =
        Context.newBuilder(locals)
            .resolver(MapValueResolver.INSTANCE, SettingsResolver.INSTANCE, MemberResolver.INSTANCE)
            .build();
    return templates.at(file.toAbsolutePath().normalize()).apply(context);
  }

  @Override
  public List<String> extensions() {
    return List.of("hbs", "handlebars");
  }

  /**
   * The compiled templates of one directory, kept for one rendering or forever.
   *
   * <p>Each template is compiled by its own {@code Handlebars} instance, since a loader is not told
   * which template references a partial.
   */
  private static final class HandlebarsTemplates implements TemplateCache {

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
          new Handlebars(new SiblingLoader(files, file))
              .with(HELPERS)
              .with(this)
              .infiniteLoops(true);
      return handlebars
          .getParserFactory()
          .create(handlebars, Handlebars.DELIM_START, Handlebars.DELIM_END)
          .parse(new Source(file));
    }
  }
}
