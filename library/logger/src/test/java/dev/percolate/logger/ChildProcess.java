package dev.percolate.logger;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The output and the exit code of a separate JVM.
 *
 * @param code its exit code
 * @param out its standard output
 * @param err its standard error
 */
record ChildProcess(int code, String out, String err) {

  /** Runs a main class on the class path of the tests, without the entries that contain a name. */
  static ChildProcess run(Path folder, Predicate<String> left, Class<?> main, String... args)
      throws Exception {
    String path =
        Stream.concat(
                Stream.of(root(main)),
                Stream.of("jdk.module.path", "java.class.path")
                    .map(System::getProperty)
                    .filter(Objects::nonNull)
                    .flatMap(paths -> Stream.of(paths.split(File.pathSeparator, -1))))
            .filter(entry -> !entry.isEmpty() && left.test(Path.of(entry).getFileName().toString()))
            .collect(Collectors.joining(File.pathSeparator));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "-cp", path, main.getName()));
    command.addAll(List.of(args));
    File out = folder.resolve("out").toFile();
    File err = folder.resolve("err").toFile();
    Process process = new ProcessBuilder(command).redirectOutput(out).redirectError(err).start();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        throw new AssertionError("does not end");
      }
    } finally {
      process.destroyForcibly();
    }
    return new ChildProcess(process.exitValue(), text(out), text(err));
  }

  private static String text(File file) throws Exception {
    return Files.readString(file.toPath(), StandardCharsets.UTF_8);
  }

  private static String root(Class<?> type) throws Exception {
    String file = type.getSimpleName() + ".class";
    Path root = Path.of(Objects.requireNonNull(type.getResource(file)).toURI());
    for (int i = 0; i <= type.getName().chars().filter(c -> c == '.').count(); i++) {
      root = Objects.requireNonNull(root.getParent());
    }
    return root.toString();
  }
}
