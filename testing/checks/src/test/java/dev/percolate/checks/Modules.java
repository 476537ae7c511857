package dev.percolate.checks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The modules of the build, in the order of the root POM. */
final class Modules {
  /** Surefire runs tests in the directory of their module. */
  static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  private Modules() {}

  /** Returns the modules with main sources. */
  static List<String> all() throws IOException {
    return MODULE
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .map(found -> found.group(1))
        .filter(module -> Files.isDirectory(sources(module)))
        .toList();
  }

  /** Returns the modules with a descriptor: those that users get. */
  static List<String> published() throws IOException {
    return all().stream()
        .filter(module -> Files.exists(sources(module).resolve("module-info.java")))
        .toList();
  }

  /** Returns the name of a module's artifact. */
  static String artifact(String module) {
    return module.equals("percolate") ? module : "percolate-" + module;
  }

  /** Returns the directory of the compiled main classes of a module. */
  static Path classes(String module) {
    return ROOT.resolve(Path.of(module, "target", "classes"));
  }

  /** Returns the directory of the main sources of a module. */
  static Path sources(String module) {
    return ROOT.resolve(Path.of(module, "src", "main", "java"));
  }
}
