package dev.percolate.checks;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** The classes of one module and their dependencies within the module, as found by jdeps. */
final class ClassGraph {
  /** Dependencies of a class are indented by three spaces, those of an archive are not. */
  private static final Pattern DEPENDENCY = Pattern.compile(" {3}(\\S+) +-> (\\S+) .*");

  private ClassGraph() {}

  /**
   * Returns the dependencies of each top-level class in a directory on other classes of the
   * directory. Includes those of nested classes.
   */
  static Map<String, Set<String>> of(Path classes) throws IOException {
    List<Path> files = files(classes);
    Map<String, Set<String>> graph = new TreeMap<>();
    for (Path file : files) {
      graph.putIfAbsent(topLevel(name(file)), new TreeSet<>());
    }
    if (graph.isEmpty()) {
      return graph;
    }
    for (String line : jdeps(classes, files).lines().toList()) {
      var dependency = DEPENDENCY.matcher(line);
      if (dependency.matches()) {
        String from = topLevel(dependency.group(1));
        String to = topLevel(dependency.group(2));
        if (graph.containsKey(from) && graph.containsKey(to) && !from.equals(to)) {
          graph.get(from).add(to);
        }
      }
    }
    return graph;
  }

  /** Returns the class files except the module descriptor, relative to the directory. */
  private static List<Path> files(Path classes) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .map(classes::relativize)
          .filter(file -> file.toString().endsWith(".class"))
          .filter(file -> !file.endsWith("module-info.class"))
          .toList();
    }
  }

  /** Runs jdeps without the module descriptor, with which it would look for other modules. */
  private static String jdeps(Path classes, List<Path> files) {
    Stream<String> roots =
        files.stream().map(file -> classes.resolve(file.getName(0)).toString()).distinct();
    String[] arguments =
        Stream.concat(Stream.of("-verbose:class", "-filter:none"), roots).toArray(String[]::new);
    StringWriter output = new StringWriter();
    PrintWriter writer = new PrintWriter(output);
    int failed = ToolProvider.findFirst("jdeps").orElseThrow().run(writer, writer, arguments);
    if (failed != 0) {
      throw new IllegalStateException("jdeps failed with status " + failed + ": " + output);
    }
    return output.toString();
  }

  private static String name(Path file) {
    return file.toString().replace(".class", "").replaceAll("[/\\\\]", ".");
  }

  private static String topLevel(String name) {
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}
