package dev.percolate.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The modules of the build, each named by its artifact without {@code percolate-}. */
final class Modules {
  /** Surefire runs tests in the directory of their module, which is in that of its group. */
  static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern ARTIFACT =
      Pattern.compile("(?m)^  <artifactId>(?:percolate-)?([^<]+)</artifactId>");
  private static final Pattern DEPENDENCY =
      Pattern.compile(
          "<groupId>dev\\.percolate</groupId>\\s*<artifactId>(?:percolate-)?([^<]+)</artifactId>");
  private static final Map<String, Path> FOLDERS = folders();

  private Modules() {}

  /** Returns the modules with main sources, in the order of the root POM. */
  static List<String> all() {
    return FOLDERS.keySet().stream().filter(module -> Files.isDirectory(sources(module))).toList();
  }

  /** Returns the modules with a descriptor: those that users get. */
  static List<String> published() {
    return all().stream()
        .filter(module -> Files.exists(sources(module).resolve("module-info.java")))
        .toList();
  }

  /** Returns the name of a module's artifact. */
  static String artifact(String module) {
    return module.equals("percolate") ? module : "percolate-" + module;
  }

  /** Returns the modules of the root POM, in its order, with those that have no main sources. */
  static List<String> ofBuild() {
    return List.copyOf(FOLDERS.keySet());
  }

  /** Returns the POM of a module. */
  static String pom(String module) throws IOException {
    return Files.readString(folder(module).resolve("pom.xml"));
  }

  /** Returns the modules that a module needs, directly or not: Maven builds them first. */
  static Set<String> builtBefore(String module) throws IOException {
    Set<String> found = new LinkedHashSet<>();
    Deque<String> next = new ArrayDeque<>(List.of(module));
    while (!next.isEmpty()) {
      Matcher dependency = DEPENDENCY.matcher(pom(next.remove()));
      while (dependency.find()) {
        String name = dependency.group(1);
        if (FOLDERS.containsKey(name) && found.add(name)) {
          next.add(name);
        }
      }
    }
    return found;
  }

  /** Returns the directory of a module. */
  static Path folder(String module) {
    Path folder = FOLDERS.get(module);
    if (folder == null) {
      throw new IllegalArgumentException("the root POM has no module " + module);
    }
    return folder;
  }

  /** Returns the directory of the compiled main classes of a module. */
  static Path classes(String module) {
    return folder(module).resolve(Path.of("target", "classes"));
  }

  /** Returns the directory of the main sources of a module. */
  static Path sources(String module) {
    return folder(module).resolve(Path.of("src", "main", "java"));
  }

  private static Map<String, Path> folders() {
    Map<String, Path> folders = new LinkedHashMap<>();
    try {
      Matcher module = MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")));
      while (module.find()) {
        Path folder = ROOT.resolve(module.group(1));
        Matcher artifact = ARTIFACT.matcher(Files.readString(folder.resolve("pom.xml")));
        if (!artifact.find()) {
          throw new IllegalStateException(folder + ": its POM has no artifactId");
        }
        folders.put(artifact.group(1), folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return folders;
  }
}
