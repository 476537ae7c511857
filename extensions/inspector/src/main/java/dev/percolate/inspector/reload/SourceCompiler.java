package dev.percolate.inspector.reload;

import dev.percolate.engine.Shutdown;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Compiles all sources of an application with the compiler of the JDK, in this process. */
final class SourceCompiler {

  private static final String PROCESSORS =
      "META-INF/services/javax.annotation.processing.Processor";

  private static final Pattern MODULE_IMPORT =
      Pattern.compile("^\\s*import\\s+module\\s+([\\w.]+)", Pattern.MULTILINE);

  private final Project project;
  private final JavaCompiler javac;
  private final String classPath;

  /** The names of all top-level classes with a source, including deleted ones. */
  private final Set<String> managed = ConcurrentHashMap.newKeySet();

  /** The names of all resources with a source, including deleted ones. */
  private final Set<String> resources = ConcurrentHashMap.newKeySet();

  /** Contains one folder for each compilation. */
  private final Path outputs;

  /** Open between compilations, since opening the jars of the class path takes long. */
  private @Nullable StandardJavaFileManager files;

  /**
   * Finds the compiler.
   *
   * @throws IllegalArgumentException if this is not a JDK
   * @throws UncheckedIOException if no temporary folder can be created
   */
  SourceCompiler(Project project) {
    JavaCompiler found = ToolProvider.getSystemJavaCompiler();
    if (found == null) {
      throw new IllegalArgumentException(
          "there is no Java compiler in " + System.getProperty("java.home") + ": use a JDK");
    }
    this.project = project;
    this.javac = found;
    this.classPath = String.join(File.pathSeparator, project.classPath());
    try {
      this.outputs = Files.createTempDirectory("percolate-dev");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Shutdown.add(Shutdown.Stage.LOG_SINKS, () -> Leftovers.delete(outputs));
  }

  /** Returns true if a class has, or had, a source. */
  boolean isManaged(String className) {
    return managed.contains(outermost(className));
  }

  /** Returns true if a file is a class that another tool has compiled from the sources. */
  boolean isCopy(Path file) {
    return file.toString().endsWith(".class")
        && project.classes().stream()
            .anyMatch(root -> file.startsWith(root) && isManaged(className(root, file)));
  }

  /** Remembers the resources of a tree. */
  void note(SourceTree tree) {
    for (Path folder : project.resources()) {
      tree.files().stream()
          .filter(file -> file.startsWith(folder))
          .map(file -> folder.relativize(file).toString().replace(File.separatorChar, '/'))
          .forEach(resources::add);
    }
  }

  /** Returns true if a resource has, or had, a source. */
  boolean hasSource(String resource) {
    return resources.contains(resource);
  }

  /**
   * Compiles all sources.
   *
   * @return a new temporary folder with the classes
   * @throws CompileException if there are errors
   */
  Path compile(SourceTree tree) throws CompileException {
    List<Path> java = sources(tree, "java");
    List<Path> kotlin = KotlinCompiler.isPresent() ? sources(tree, "kt") : List.of();
    java.forEach(this::manage);
    kotlin.forEach(this::manage);
    try {
      Path out = Files.createTempDirectory(outputs, "version");
      if (!kotlin.isEmpty()) {
        KotlinCompiler.compile(project.isOneFile() ? kotlin : project.sources(), classPath, out);
      }
      compile(java, out);
      manageCompiled(out);
      return out;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Path> sources(SourceTree tree, String extension) {
    return tree.files(extension).stream().filter(project::isSource).toList();
  }

  private void manage(Path source) {
    for (Path folder : project.sources()) {
      if (source.startsWith(folder)) {
        managed.add(className(folder, source));
      }
    }
  }

  /** Adds classes that have another name than their file, and generated ones. */
  private void manageCompiled(Path out) throws IOException {
    try (Stream<Path> all = Files.walk(out)) {
      all.filter(file -> file.toString().endsWith(".class"))
          .map(file -> outermost(className(out, file)))
          .forEach(managed::add);
    }
  }

  private static String outermost(String className) {
    int nested = className.indexOf('$');
    return nested < 0 ? className : className.substring(0, nested);
  }

  private static String className(Path folder, Path file) {
    String path = folder.relativize(file).toString();
    return path.substring(0, path.lastIndexOf('.')).replace(File.separatorChar, '.');
  }

  private void compile(List<Path> sources, Path out) throws CompileException, IOException {
    List<Path> units = sources.stream().filter(file -> !file.endsWith("module-info.java")).toList();
    if (units.isEmpty()) {
      return;
    }
    StandardJavaFileManager open = files;
    if (open == null) {
      open = javac.getStandardFileManager(null, null, StandardCharsets.UTF_8);
      files = open;
    }
    DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
    Iterable<? extends JavaFileObject> all = open.getJavaFileObjectsFromPaths(units);
    WithoutCopies visible = new WithoutCopies(open, out, this::isManaged);
    if (!javac.getTask(null, visible, messages, options(out), null, all).call()) {
      open.close(); // a new one sees classes that other tools have compiled meanwhile
      files = null;
      throw new CompileException(
          messages.getDiagnostics().stream()
              .filter(message -> message.getKind() == Diagnostic.Kind.ERROR)
              .map(SourceCompiler::error)
              .toList());
    }
  }

  private List<String> options(Path out) throws IOException {
    List<String> options = new ArrayList<>(List.of("-g", "-parameters", "-nowarn", "-d"));
    options.addAll(List.of(out.toString(), "-cp", out + File.pathSeparator + classPath));
    if (project.isOneFile()) {
      options.addAll(List.of("-sourcepath", project.sources().get(0).toString()));
      options.addAll(importedModules());
    }
    if (ClassLoader.getSystemResource(PROCESSORS) == null) {
      options.add("-proc:none");
    } else if (Runtime.version().feature() >= 21) {
      options.add("-proc:full"); // the default of earlier versions
    }
    return options;
  }

  /** Lets a program in one file import modules that are on the class path, as on JDK 25. */
  private List<String> importedModules() throws IOException {
    String source = Files.readString(project.file());
    String modules =
        MODULE_IMPORT
            .matcher(source)
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.joining(","));
    return modules.isEmpty()
        ? List.of()
        : List.of("--module-path", classPath, "--add-modules", modules);
  }

  private static SourceError error(Diagnostic<? extends JavaFileObject> message) {
    JavaFileObject source = message.getSource();
    return new SourceError(
        source == null ? null : Path.of(source.toUri()),
        (int) Math.max(0, message.getLineNumber()),
        (int) Math.max(0, message.getColumnNumber()),
        message.getMessage(Locale.ENGLISH));
  }
}
