package dev.percolate.views.jte;

import dev.percolate.framework.TemplateEngine;
import dev.percolate.framework.TemplateFiles;
import gg.jte.CodeResolver;
import gg.jte.ContentType;
import gg.jte.TemplateNotFoundException;
import gg.jte.output.StringOutput;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Renders jte templates. Output is escaped for its context in HTML, except with {@code $unsafe}.
 *
 * <p>Used automatically for views with the extension {@code jte}. A template declares its locals
 * with their types. Settings have the type {@link dev.percolate.core.Settings} and are read with
 * {@code settings.get("title")}.
 *
 * <p>A template calls others by their paths, such as {@code @template.layout.page()} for {@code
 * layout/page.jte}. Paths are relative to the setting {@code views}, not to the template itself,
 * and the files have the extension {@code jte}. A path cannot refer to a file outside that
 * directory. For a view outside that directory, the directory of the view is used instead.
 *
 * <p>Templates are compiled to classes by the compiler of the JDK, so a Java runtime without a
 * compiler cannot render them. The classes are stored in a private temporary directory until the
 * process ends, and can use the class path or module path of the process. If the local {@code
 * cache} is true, as in production, changes to compiled templates have no effect. Otherwise,
 * changed templates are compiled again. Error messages contain the file and line.
 *
 * <p>For production, compile the templates in the build, with the Maven or Gradle plugin of jte:
 *
 * <pre>{@code
 * app.engine("jte", JteViews.precompiled()).set("view engine", "jte");
 * }</pre>
 */
public final class JteViews implements TemplateEngine {

  private final Map<TemplateFiles, gg.jte.TemplateEngine> engines = new ConcurrentHashMap<>();
  private final ReentrantLock compiling = new ReentrantLock();
  private final gg.jte.@Nullable TemplateEngine precompiled;

  /** Creates an engine with its own cache that compiles templates when they are rendered. */
  public JteViews() {
    this(null);
  }

  private JteViews(gg.jte.@Nullable TemplateEngine precompiled) {
    this.precompiled = precompiled;
  }

  /**
   * Creates an engine for templates that the build has compiled as HTML into the classes of the
   * application, in the default package of jte. No compiler is needed. The template files must
   * still exist in the views directory, since views are found by them, but are not read.
   */
  public static JteViews precompiled() {
    return new JteViews(gg.jte.TemplateEngine.createPrecompiled(ContentType.Html));
  }

  /**
   * Creates an engine for templates that the build has compiled into a directory. Otherwise like
   * {@link #precompiled()}.
   *
   * @param classes the directory; its classes run with the permissions of the application
   */
  public static JteViews precompiled(Path classes) {
    return new JteViews(
        gg.jte.TemplateEngine.createPrecompiled(
            classes, ContentType.Html, Thread.currentThread().getContextClassLoader()));
  }

  /**
   * Renders a template.
   *
   * @throws gg.jte.TemplateException if the template, or one that it calls, is missing, invalid or
   *     fails
   * @throws IllegalStateException if the Java runtime has no compiler
   */
  @Override
  public String render(Path file, Map<String, @Nullable Object> locals) {
    Path template = file.toAbsolutePath().normalize();
    TemplateFiles files = TemplateFiles.of(template, locals);
    String name = files.root().relativize(template).toString().replace(File.separatorChar, '/');
    gg.jte.TemplateEngine engine = precompiled;
    if (engine == null) {
      engine = engines.computeIfAbsent(files, JteViews::compiler);
      compile(engine, name);
    }
    StringOutput text = new StringOutput();
    engine.render(name, locals, text);
    return text.toString();
  }

  @Override
  public List<String> extensions() {
    return List.of("jte");
  }

  /**
   * Compiles a template if needed. Compiles one at a time, since two templates may call the same
   * third one.
   */
  private void compile(gg.jte.TemplateEngine engine, String name) {
    compiling.lock();
    try {
      engine.prepareForRendering(name);
    } finally {
      compiling.unlock();
    }
  }

  private static gg.jte.TemplateEngine compiler(TemplateFiles files) {
    if (ToolProvider.getSystemJavaCompiler() == null) {
      throw new IllegalStateException(
          "jte templates need a JDK with a compiler. Run on a JDK, or compile the templates in the"
              + " build and use JteViews.precompiled().");
    }
    gg.jte.TemplateEngine engine =
        gg.jte.TemplateEngine.create(
            new JteCode(files),
            makeClassFolder(),
            ContentType.Html,
            Thread.currentThread().getContextClassLoader());
    engine.setCompileArgs("-proc:none"); // prevents annotation processors from running
    return engine;
  }

  /**
   * Reads UTF-8 templates by their paths relative to the views directory.
   *
   * @param files finds the files
   */
  private record JteCode(TemplateFiles files) implements CodeResolver {

    @Override
    public @Nullable String resolve(String name) {
      return exists(name) ? resolveRequired(name) : null;
    }

    @Override
    public String resolveRequired(String name) {
      try {
        return Files.readString(file(name), StandardCharsets.UTF_8);
      } catch (FileNotFoundException e) {
        throw new TemplateNotFoundException(e.getMessage());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public boolean exists(String name) {
      try {
        return Files.exists(file(name));
      } catch (FileNotFoundException e) {
        return false;
      }
    }

    /**
     * Returns the modification time of a file in nanoseconds: 0 if templates are cached, the
     * maximum if the file is missing.
     */
    @Override
    public long getLastModified(String name) {
      if (files.cached()) {
        return 0;
      }
      try {
        return Files.getLastModifiedTime(file(name)).to(TimeUnit.NANOSECONDS);
      } catch (IOException e) {
        return Long.MAX_VALUE;
      }
    }

    private Path file(String name) throws FileNotFoundException {
      return files.find(name, files.root().resolve("view.jte"));
    }
  }

  /**
   * Creates a directory for compiled templates, which only the user of the process can access. It
   * is deleted when the process ends.
   */
  static Path makeClassFolder() {
    try {
      Path folder = Files.createTempDirectory("percolate-jte-");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteClassFolder(folder)));
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void deleteClassFolder(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> walk = Files.walk(folder)) {
      List<Path> children = walk.sorted(Comparator.reverseOrder()).toList();
      for (Path path : children) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
