package dev.percolate.views.jte;

import dev.percolate.framework.TemplateEngine;
import dev.percolate.framework.TemplateFiles;
import gg.jte.ContentType;
import gg.jte.output.StringOutput;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Renders templates of jte; what they print is escaped for its place in HTML unless they say {@code
 * $unsafe}.
 *
 * <p>It is found for views with the extension {@code jte}. A template declares its locals with
 * their types; settings are {@link dev.percolate.core.Settings}, to be read by {@code
 * settings.get("title")}. A template that another one calls, such as
 * {@code @template.layout.page()} for {@code layout/page.jte}, has this extension and is named
 * relative to the setting {@code views} (for a view from elsewhere: to the directory of the view),
 * never to the template that names it, and lies in there.
 *
 * <p>Templates become classes, by the compiler of the JDK in use: a Java runtime without one cannot
 * render them. The classes lie in a private temporary directory until the process ends, and see
 * what the class path, or the module path, of the process holds. Where the local {@code cache} is
 * true, templates that are compiled are no longer read: it is so in production. Elsewhere they are
 * compiled again when their time of change has. Errors name file and line.
 *
 * <p>In production templates had better be compiled by the build, with the Maven or Gradle plugin
 * of jte:
 *
 * <pre>{@code
 * app.engine("jte", JteViews.precompiled()).set("view engine", "jte");
 * }</pre>
 */
public final class JteViews implements TemplateEngine {

  private final Map<TemplateFiles, gg.jte.TemplateEngine> engines = new ConcurrentHashMap<>();
  private final ReentrantLock compiling = new ReentrantLock();
  private final gg.jte.@Nullable TemplateEngine precompiled;

  /** Creates an engine that compiles templates when they are rendered, with a cache of its own. */
  public JteViews() {
    this(null);
  }

  private JteViews(gg.jte.@Nullable TemplateEngine precompiled) {
    this.precompiled = precompiled;
  }

  /**
   * Creates an engine for templates that the build has compiled as HTML into the classes of the
   * application, in the package that jte gives them. No compiler is needed. The templates
   * themselves still lie in the directory of the views, by which views are found, but are not read.
   */
  public static JteViews precompiled() {
    return new JteViews(gg.jte.TemplateEngine.createPrecompiled(ContentType.Html));
  }

  /**
   * Creates an engine for templates that the build has compiled into a directory; otherwise as
   * {@link #precompiled()}.
   *
   * @param classes the directory, whose classes run with the rights of the application
   */
  public static JteViews precompiled(Path classes) {
    return new JteViews(
        gg.jte.TemplateEngine.createPrecompiled(
            classes, ContentType.Html, Thread.currentThread().getContextClassLoader()));
  }

  /**
   * Renders a template.
   *
   * @throws gg.jte.TemplateException if it, or one that it names, is absent, ill-formed or fails
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

  /** Compiles a template, unless it is so: one at a time, since two may name the same third. */
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
          "templates of jte need the compiler of a JDK, or to be compiled: JteViews.precompiled()");
    }
    gg.jte.TemplateEngine engine =
        gg.jte.TemplateEngine.create(
            new JteCode(files),
            ClassFolder.make(),
            ContentType.Html,
            Thread.currentThread().getContextClassLoader());
    engine.setCompileArgs("-proc:none"); // else processors on the class path would run
    return engine;
  }
}
