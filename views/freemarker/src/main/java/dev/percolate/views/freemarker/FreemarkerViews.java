package dev.percolate.views.freemarker;

import dev.percolate.core.Settings;
import dev.percolate.framework.TemplateEngine;
import dev.percolate.framework.TemplateFiles;
import freemarker.cache.NullCacheStorage;
import freemarker.cache.SoftCacheStorage;
import freemarker.cache.TemplateLoader;
import freemarker.core.HTMLOutputFormat;
import freemarker.core.TemplateClassResolver;
import freemarker.ext.beans.ClassMemberAccessPolicy;
import freemarker.ext.beans.DefaultMemberAccessPolicy;
import freemarker.ext.beans.MemberAccessPolicy;
import freemarker.template.Configuration;
import freemarker.template.DefaultObjectWrapper;
import freemarker.template.ObjectWrapper;
import freemarker.template.TemplateExceptionHandler;
import freemarker.template.TemplateHashModel;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import freemarker.template.Version;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Renders FreeMarker templates. Output is escaped for HTML, whatever the extension, except with
 * {@code ?no_esc}.
 *
 * <p>Used automatically for views with the extensions {@code ftlh} and {@code ftl}. Register it for
 * other extensions:
 *
 * <pre>{@code
 * app.engine("html", new FreemarkerViews()).set("view engine", "html");
 * }</pre>
 *
 * <p>A template includes or imports others by file names with their extension. {@code item.ftlh}
 * and {@code ../item.ftlh} are relative to the template itself, {@code /item.ftlh} to the setting
 * {@code views}. A name cannot refer to a file outside that directory, even if it contains user
 * input. For a view outside that directory, the directory of the view is used instead. A layout is
 * a macro in an imported template.
 *
 * <p>Templates read map entries, bean properties and record components, and settings as {@code
 * settings.title} or {@code settings["view engine"]}. They can neither call other methods nor
 * create objects ({@code ?new}, {@code ?api}). Numbers and booleans are printed as in Java ({@code
 * 1234.5}, {@code true}), independent of the locale.
 *
 * <p>If the local {@code cache} is true, as in production, compiled templates are cached and
 * changes to existing files have no effect. Error messages contain the line and the file, relative
 * to the directory.
 */
public final class FreemarkerViews implements TemplateEngine {

  /**
   * The time after which a template that could not be read is read again. FreeMarker caches such
   * failures too. Compiled templates stay, since the time of their files never changes.
   */
  private static final int RETRY_MILLIS = 50;

  private final Map<TemplateFiles, Configuration> configurations = new ConcurrentHashMap<>();

  /** Creates an engine with its own cache. */
  public FreemarkerViews() {}

  /**
   * Renders a template.
   *
   * @throws freemarker.template.TemplateException if the template, or one that it references,
   *     fails, or if a referenced template is missing or invalid
   * @throws java.io.IOException if the template cannot be read or is invalid
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
    // Soft references bound the cache. It also stores missing names, which may contain user input.
    made.setCacheStorage(files.cached() ? new SoftCacheStorage() : new NullCacheStorage());
    made.setTemplateUpdateDelayMilliseconds(files.cached() ? RETRY_MILLIS : 0);
    made.setOutputFormat(HTMLOutputFormat.INSTANCE);
    made.setRecognizeStandardFileExtensions(false); // .ftl would be left unescaped
    made.setObjectWrapper(new FreemarkerWrapper());
    made.setNewBuiltinClassResolver(TemplateClassResolver.ALLOWS_NOTHING_RESOLVER);
    made.setAPIBuiltinEnabled(false);
    made.setNumberFormat("c");
    made.setBooleanFormat("c");
    made.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
    made.setLogTemplateExceptions(false); // they are thrown
    made.setWrapUncheckedExceptions(true); // otherwise the message has no file and line
    return made;
  }

  /**
   * Reads UTF-8 templates by their paths relative to the root. A source is the path of a file.
   *
   * @param files finds the files
   */
  private record FilesLoader(TemplateFiles files) implements TemplateLoader {

    @Override
    public @Nullable Object findTemplateSource(String name) {
      try {
        return files.find(name);
      } catch (FileNotFoundException e) {
        return null;
      }
    }

    @Override
    public long getLastModified(Object source) {
      return -1; // constant, so that cached templates stay
    }

    @Override
    public Reader getReader(Object source, String encoding) throws IOException {
      return Files.newBufferedReader((Path) source, StandardCharsets.UTF_8);
    }

    @Override
    public void closeTemplateSource(Object source) {
      // FreeMarker closes the reader; there is nothing else to close.
    }

    /** Returns the directory, for messages about missing templates. */
    @Override
    public String toString() {
      return "directory \"" + files.root() + "\"";
    }
  }

  /** Exposes values to templates as {@link FreemarkerMembers} allows, and settings like a map. */
  private static final class FreemarkerWrapper extends DefaultObjectWrapper {

    /** The version whose behaviour is used, independent of the version of the library. */
    static final Version VERSION = Configuration.VERSION_2_3_35;

    /**
     * Lets templates read settings like the entries of a map.
     *
     * @param settings the settings
     * @param wrapper wraps their values
     */
    private record SettingsModel(Settings settings, ObjectWrapper wrapper)
        implements TemplateHashModel {

      @Override
      public @Nullable TemplateModel get(String name) throws TemplateModelException {
        return wrapper.wrap(settings.get(name));
      }

      @Override
      public boolean isEmpty() {
        return false;
      }
    }

    FreemarkerWrapper() {
      super(VERSION);
      setMemberAccessPolicy(new FreemarkerMembers(DefaultMemberAccessPolicy.getInstance(VERSION)));
      writeProtect();
    }

    @Override
    protected TemplateModel handleUnknownType(Object value) throws TemplateModelException {
      return value instanceof Settings settings
          ? new SettingsModel(settings, this)
          : super.handleUnknownType(value);
    }

    /**
     * Lets templates read bean properties and record components, if the library's own policy allows
     * it. They can neither read classes nor call other methods.
     */
    private record FreemarkerMembers(MemberAccessPolicy usual) implements MemberAccessPolicy {

      private record OfClass(ClassMemberAccessPolicy usual) implements ClassMemberAccessPolicy {

        @Override
        public boolean isMethodExposed(Method method) {
          return (isGetter(method) || TemplateEngine.isComponent(method))
              && !Class.class.isAssignableFrom(method.getReturnType()) // has the class loader
              && usual.isMethodExposed(method);
        }

        @Override
        public boolean isConstructorExposed(Constructor<?> constructor) {
          return false;
        }

        @Override
        public boolean isFieldExposed(Field field) {
          return usual.isFieldExposed(field);
        }
      }

      @Override
      public ClassMemberAccessPolicy forClass(Class<?> type) {
        return new OfClass(usual.forClass(type));
      }

      /** Returns true, since any value may be printed. */
      @Override
      public boolean isToStringAlwaysExposed() {
        return true;
      }

      private static boolean isGetter(Method method) {
        String name = method.getName();
        return method.getParameterCount() == 0 && (name.startsWith("get") || name.startsWith("is"));
      }
    }
  }
}
