package dev.percolate.inspector.reload;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The application to run, and the folders of its files.
 *
 * @param main the name of the main class, or the path of a program in one file
 * @param arguments the arguments of {@code main}
 * @param folder the working folder
 * @param sources the folders of the sources
 */
public record Project(String main, List<String> arguments, Path folder, List<Path> sources) {

  private static final String USAGE =
      """
      Usage: java -cp CLASSPATH dev.percolate.inspector.Dev [--sources FOLDER] MAIN [ARGUMENT...]
      MAIN is the name of the main class, or the path of a program in one file.
      FOLDER contains the sources. Default: src/main/java and src/main/kotlin, else src.\
      """;

  /**
   * Reads the arguments of the command.
   *
   * @param folder the working folder
   * @param args the arguments
   * @throws IllegalArgumentException if they are invalid; the message is for the user
   */
  public static Project of(Path folder, String... args) {
    Path base = folder.toAbsolutePath().normalize();
    List<Path> sources = new ArrayList<>();
    int at = 0;
    for (; at + 1 < args.length && args[at].equals("--sources"); at += 2) {
      Stream.of(args[at + 1].split(File.pathSeparator, -1))
          .map(base::resolve)
          .forEach(sources::add);
    }
    if (at == args.length || args[at].startsWith("-")) {
      throw new IllegalArgumentException(USAGE);
    }
    String main = args[at];
    if (sources.isEmpty()) {
      sources.addAll(defaults(base, main));
    }
    for (Path source : sources) {
      if (!Files.isDirectory(source)) {
        throw new IllegalArgumentException("there is no folder " + source + "\n" + USAGE);
      }
    }
    return new Project(
        main, List.of(args).subList(at + 1, args.length), base, List.copyOf(sources));
  }

  private static List<Path> defaults(Path base, String main) {
    if (isFile(main)) {
      return List.of(base.resolve(main).normalize().resolveSibling(""));
    }
    List<Path> found =
        Stream.of("src/main/java", "src/main/kotlin")
            .map(base::resolve)
            .filter(Files::isDirectory)
            .toList();
    return found.isEmpty() ? List.of(base.resolve("src")) : found;
  }

  private static boolean isFile(String main) {
    return main.endsWith(".java") || main.endsWith(".kt");
  }

  /** Returns true if the application is a program in one file. */
  boolean isOneFile() {
    return isFile(main);
  }

  /** Returns the path of the program in one file. */
  Path file() {
    return folder.resolve(main).normalize();
  }

  /** Returns true if a file is compiled. A program in one file may use classes of other files. */
  boolean isSource(Path path) {
    return isOneFile() ? path.equals(file()) : sources.stream().anyMatch(path::startsWith);
  }

  /**
   * Returns the folders of the resources: for {@code src/main/java} {@code src/main/resources}, for
   * other folders the sources themselves.
   */
  List<Path> resources() {
    Set<Path> found = new LinkedHashSet<>();
    for (Path source : sources) {
      boolean split = source.endsWith("java") || source.endsWith("kotlin");
      found.add(split ? source.resolveSibling("resources") : source);
    }
    return List.copyOf(found);
  }

  /** Returns all folders whose changes count. */
  Set<Path> folders() {
    Set<Path> found = new LinkedHashSet<>(sources);
    found.addAll(resources());
    found.addAll(classes());
    found.add(folder.resolve("views"));
    found.add(folder.resolve("public"));
    return found;
  }

  /** Returns the folders of the class path in the working folder, such as target/classes. */
  List<Path> classes() {
    return classPath().stream()
        .map(Path::of)
        .filter(entry -> entry.startsWith(folder) && Files.isDirectory(entry))
        .filter(entry -> !resources().contains(entry))
        .toList();
  }

  /** Returns the entries of the class path, absolute. */
  List<String> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> Path.of(entry).toAbsolutePath().normalize().toString())
        .toList();
  }
}
