package dev.percolate.views.freemarker;

import dev.percolate.framework.TemplateEngine;
import dev.percolate.framework.TemplateFiles;
import freemarker.cache.NullCacheStorage;
import freemarker.cache.SoftCacheStorage;
import freemarker.core.HTMLOutputFormat;
import freemarker.core.TemplateClassResolver;
import freemarker.template.Configuration;
import freemarker.template.TemplateExceptionHandler;
import java.io.File;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Renders templates of FreeMarker; what they print is escaped for HTML, whatever their extension,
 * unless they say {@code ?no_esc}.
 *
 * <p>It is found for views with the extensions {@code ftlh} and {@code ftl}; for others it is
 * registered:
 *
 * <pre>{@code
 * app.engine("html", new FreemarkerViews()).set("view engine", "html");
 * }</pre>
 *
 * <p>A template that another one includes or imports is named with its extension: {@code item.ftlh}
 * and {@code ../item.ftlh} relative to the template that names it, {@code /item.ftlh} relative to
 * the setting {@code views}. It must lie in that directory (for a view from elsewhere: in the
 * directory of the view), whatever its name: a name may be made of values. A layout is a macro in a
 * template that is imported. Compiled templates are kept where the local {@code cache} is true, and
 * then no longer read: it is so in production. Errors name file (from that directory on) and line.
 *
 * <p>Templates see the keys of maps, the properties of beans and the components of records, and
 * settings as {@code settings.title} or {@code settings["view engine"]}; they can neither call
 * other methods nor make objects ({@code ?new}, {@code ?api}). Numbers and truth values are printed
 * as programs write them ({@code 1234.5}, {@code true}), whatever the locale of the machine.
 */
public final class FreemarkerViews implements TemplateEngine {

  private final Map<TemplateFiles, Configuration> configurations = new ConcurrentHashMap<>();

  /** Creates an engine, with a cache of its own. */
  public FreemarkerViews() {}

  /**
   * Renders a template.
   *
   * @throws freemarker.template.TemplateException if it, or one that it names, fails, or if one
   *     that it names is absent or ill-formed
   * @throws java.io.IOException if it cannot be read or is ill-formed
   */
  @Override
  public String render(Path file, Map<String, @Nullable Object> locals) throws Exception {
    TemplateFiles files = TemplateFiles.of(file, locals);
    Path name = files.root().relativize(file.toAbsolutePath().normalize());
    StringWriter text = new StringWriter();
    configurations
        .computeIfAbsent(files, FreemarkerViews::configuration)
        .getTemplate(name.toString().replace(File.separatorChar, '/'))
        .process(locals, text);
    return text.toString();
  }

  @Override
  public List<String> extensions() {
    return List.of("ftlh", "ftl");
  }

  private static Configuration configuration(TemplateFiles files) {
    Configuration made = new Configuration(FreemarkerWrapper.VERSION);
    made.setTemplateLoader(new FilesLoader(files));
    made.setDefaultEncoding(StandardCharsets.UTF_8.name());
    made.setOutputEncoding(StandardCharsets.UTF_8.name());
    made.setLocalizedLookup(false);
    // Soft, and so bounded: it keeps absent names too, and names may be made of values.
    made.setCacheStorage(files.cached() ? new SoftCacheStorage() : new NullCacheStorage());
    made.setTemplateUpdateDelayMilliseconds(files.cached() ? Long.MAX_VALUE : 0);
    made.setOutputFormat(HTMLOutputFormat.INSTANCE);
    made.setRecognizeStandardFileExtensions(false); // .ftl would be left unescaped
    made.setObjectWrapper(new FreemarkerWrapper());
    made.setNewBuiltinClassResolver(TemplateClassResolver.ALLOWS_NOTHING_RESOLVER);
    made.setAPIBuiltinEnabled(false);
    made.setNumberFormat("c");
    made.setBooleanFormat("c");
    made.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
    made.setLogTemplateExceptions(false); // they are thrown
    made.setWrapUncheckedExceptions(true); // otherwise they would not name the place
    return made;
  }
}
