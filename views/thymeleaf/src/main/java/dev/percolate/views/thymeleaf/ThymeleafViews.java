package dev.percolate.views.thymeleaf;

import dev.percolate.framework.SettingsMap;
import dev.percolate.framework.TemplateEngine;
import dev.percolate.framework.TemplateFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Reader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.thymeleaf.IEngineConfiguration;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.cache.AlwaysValidCacheEntryValidity;
import org.thymeleaf.cache.ICacheEntryValidity;
import org.thymeleaf.cache.NonCacheableCacheEntryValidity;
import org.thymeleaf.cache.StandardCacheManager;
import org.thymeleaf.context.Context;
import org.thymeleaf.context.IContext;
import org.thymeleaf.context.IEngineContext;
import org.thymeleaf.context.IEngineContextFactory;
import org.thymeleaf.context.StandardEngineContextFactory;
import org.thymeleaf.engine.TemplateData;
import org.thymeleaf.exceptions.TemplateProcessingException;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.ITemplateResolver;
import org.thymeleaf.templateresolver.TemplateResolution;
import org.thymeleaf.templateresource.ITemplateResource;

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

  /**
   * The maximum number of cached templates and fragments of a directory. Names may contain user
   * input, so the number of their spellings is unlimited.
   */
  static final int MAX_CACHED = 2000;

  final Map<TemplateFiles, ITemplateEngine> engines = new ConcurrentHashMap<>();

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
    cache.setTemplateCacheMaxSize(MAX_CACHED); // each spelling of a name has an entry
    cache.setTemplateCacheUseSoftReferences(false);
    org.thymeleaf.TemplateEngine engine = new org.thymeleaf.TemplateEngine();
    engine.setCacheManager(cache);
    engine.setEngineContextFactory(new NamingContext());
    engine.setTemplateResolver(new ThymeleafResolver(files));
    return engine;
  }

  /**
   * Finds templates in the views directory.
   *
   * @param files finds the files
   */
  private record ThymeleafResolver(TemplateFiles files) implements ITemplateResolver {

    @Override
    public String getName() {
      return files.root().toString();
    }

    @Override
    public Integer getOrder() {
      return 1;
    }

    /** Returns a template, or null if it does not exist, which Thymeleaf reports as an error. */
    @Override
    public @Nullable TemplateResolution resolveTemplate(
        IEngineConfiguration configuration,
        @Nullable String owner,
        String name,
        @Nullable Map<String, Object> attributes) {
      Object from = attributes == null ? null : attributes.get(NamingContext.FROM);
      Path path = from == null ? files.path(name) : named(name, owner, files.path(from.toString()));
      if (path == null) {
        return null;
      }
      ICacheEntryValidity validity =
          files.cached()
              ? AlwaysValidCacheEntryValidity.INSTANCE
              : NonCacheableCacheEntryValidity.INSTANCE;
      return new TemplateResolution(new ThymeleafFile(path), TemplateMode.HTML, validity);
    }

    private @Nullable Path named(String name, @Nullable String owner, Path from) {
      if (Objects.equals(name, owner)) {
        return from; // a fragment of the same template: ~{:: name}
      }
      try {
        return files.find(name, from);
      } catch (FileNotFoundException e) {
        return null;
      }
    }

    /**
     * A template in a UTF-8 file.
     *
     * @param path the path of the file
     */
    private record ThymeleafFile(Path path) implements ITemplateResource {

      @Override
      public String getDescription() {
        return path.toString();
      }

      /** Returns the base name of the message files of this template. */
      @Override
      public String getBaseName() {
        String name = path.getFileName().toString();
        int dot = name.lastIndexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
      }

      @Override
      public boolean exists() {
        return Files.isRegularFile(path);
      }

      @Override
      public Reader reader() throws IOException {
        return Files.newBufferedReader(path, StandardCharsets.UTF_8);
      }

      /** Returns a message file. Thymeleaf calls this only for message files. */
      @Override
      public ITemplateResource relative(String location) {
        return new ThymeleafFile(path.resolveSibling(location));
      }
    }
  }

  /**
   * Passes the path of the referencing template to the resolver. Thymeleaf passes only the name by
   * which that template was referenced, and uses it as a cache key, although several files can have
   * that name.
   *
   * <p>The path is a template resolution attribute, since these reach both the resolver and the
   * cache keys. Their accessor is final, so the context is wrapped in a proxy.
   */
  private static final class NamingContext implements IEngineContextFactory {

    /** The attribute for the path of the referencing template. */
    static final String FROM = "from";

    private static final IEngineContextFactory STANDARD = new StandardEngineContextFactory();

    @Override
    public IEngineContext createEngineContext(
        IEngineConfiguration configuration,
        TemplateData data,
        @Nullable Map<String, Object> attributes,
        IContext locals) {
      IEngineContext context =
          STANDARD.createEngineContext(configuration, data, attributes, locals);
      return (IEngineContext)
          Proxy.newProxyInstance(
              IEngineContext.class.getClassLoader(),
              new Class<?>[] {IEngineContext.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("getTemplateResolutionAttributes")) {
                  return Map.of(
                      FROM, context.getTemplateData().getTemplateResource().getDescription());
                }
                try {
                  return method.invoke(context, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }
}
