package dev.percolate.views.mustache;

import com.github.mustachejava.DefaultMustacheFactory;
import com.github.mustachejava.DefaultMustacheVisitor;
import com.github.mustachejava.FragmentKey;
import com.github.mustachejava.Mustache;
import com.github.mustachejava.MustacheException;
import com.github.mustachejava.MustacheVisitor;
import com.github.mustachejava.TemplateContext;
import com.github.mustachejava.codes.DefaultCode;
import com.github.mustachejava.codes.ExtendCode;
import com.github.mustachejava.codes.PartialCode;
import com.github.mustachejava.reflect.ReflectionObjectHandler;
import dev.percolate.core.Settings;
import dev.percolate.framework.SettingsMap;
import dev.percolate.framework.TemplateEngine;
import dev.percolate.framework.TemplateFiles;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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

  /** The compiled templates of one directory, kept for one rendering or forever. */
  private static final class MustacheTemplates extends DefaultMustacheFactory {

    private final TemplateFiles files;

    MustacheTemplates(TemplateFiles files) {
      this.files = files;
      setObjectHandler(new MustacheMembers());
    }

    /** Returns the template of a file. */
    Mustache at(Path file) {
      return compile(name(file));
    }

    /**
     * Compiles a template and its partials, and caches it if all of them are valid. The library
     * caches it before, and later renders it without the partial that could not be read.
     */
    @Override
    public Mustache compile(String name) {
      Mustache known = mustacheCache.get(name);
      if (known != null) {
        return known;
      }
      Mustache compiled = mc.compile(name);
      compiled.init();
      mustacheCache.put(name, compiled);
      return compiled;
    }

    @Override
    public Reader getReader(String file) {
      try {
        // Reads the whole file here, since the library drops the cause of an error while compiling.
        return new StringReader(Files.readString(files.path(file), StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new MustacheException("Could not read template \"" + file + "\"", e);
      }
    }

    @Override
    public String resolvePartialPath(String folder, String name, String extension) {
      try {
        return name(files.find(name, files.path(folder).resolve("template" + extension)));
      } catch (IOException e) {
        throw new MustacheException(e.getMessage(), e);
      }
    }

    @Override
    public MustacheVisitor createMustacheVisitor() {
      return new PartialVisitor();
    }

    /** Compiles the output of a lambda without caching it, since it may contain values. */
    @Override
    public Mustache getFragment(FragmentKey fragment) {
      Mustache mustache = getFragmentCacheFunction().apply(fragment);
      mustache.init();
      return mustache;
    }

    /** Returns a path with slashes, which the library expects on every operating system. */
    private static String name(Path file) {
      return file.toString().replace(File.separatorChar, '/');
    }

    /** Creates the code for references to other templates. Its errors contain the file and line. */
    private final class PartialVisitor extends DefaultMustacheVisitor {

      PartialVisitor() {
        super(MustacheTemplates.this);
      }

      @Override
      public void partial(TemplateContext place, String name, String indent) {
        list.add(
            new PartialCode(withUsualMarks(place), MustacheTemplates.this, name) {
              @Override
              protected String partialName() {
                return path(tc, this.name);
              }
            });
      }

      @Override
      public void extend(TemplateContext place, String name, Mustache blocks) {
        list.add(
            new ExtendCode(place, MustacheTemplates.this, blocks, name) {
              @Override
              protected String partialName() {
                return path(tc, this.name);
              }
            });
      }

      /**
       * Adds a partial whose name is a value. It is looked up each time, since a cache by name, as
       * in the library, would grow with each name in a request.
       */
      @Override
      public void dynamicPartial(TemplateContext place, String variable, String indent) {
        list.add(
            new DefaultCode(withUsualMarks(place), MustacheTemplates.this, null, variable, ">") {
              @Override
              public Writer execute(Writer writer, List<Object> scopes) {
                Object value = binding.get(scopes);
                if (value == null) {
                  return appendText(writer);
                }
                Mustache partial = MustacheTemplates.this.compile(path(tc, value.toString()));
                return appendText(partial.execute(writer, scopes));
              }
            });
      }

      private String path(TemplateContext place, String name) {
        String file = place.file();
        String folder = file.substring(0, file.lastIndexOf('/') + 1);
        try {
          return resolvePartialPath(folder, name, file.substring(file.lastIndexOf('.')));
        } catch (MustacheException e) {
          e.setContext(place);
          throw e;
        }
      }

      private static TemplateContext withUsualMarks(TemplateContext place) {
        return new TemplateContext("{{", "}}", place.file(), place.line(), place.startOfLine());
      }
    }

    /**
     * Lets templates read bean properties, public fields, record components and settings. They can
     * neither read classes nor call other methods.
     */
    private static final class MustacheMembers extends ReflectionObjectHandler {

      @Override
      public @Nullable Object coerce(@Nullable Object value) {
        return value instanceof Settings settings ? new SettingsMap(settings) : super.coerce(value);
      }

      @Override
      @SuppressWarnings("rawtypes") // as in the superclass
      protected @Nullable AccessibleObject findMember(Class type, String name) {
        try {
          return super.findMember(type, name);
        } catch (InaccessibleObjectException e) {
          return null; // the module of the class does not export it
        }
      }

      @Override
      protected void checkMethod(Method method) throws NoSuchMethodException {
        String name = method.getName();
        boolean getter =
            name.startsWith("get") || name.startsWith("is") || TemplateEngine.isComponent(method);
        if (!getter
            || !Modifier.isPublic(method.getModifiers())
            || Class.class.isAssignableFrom(method.getReturnType())) {
          throw new NoSuchMethodException(name);
        }
      }

      @Override
      protected void checkField(Field field) throws NoSuchFieldException {
        if (!Modifier.isPublic(field.getModifiers())) {
          throw new NoSuchFieldException(field.getName());
        }
      }
    }
  }
}
