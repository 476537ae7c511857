package dev.percolate.vertx;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A JVM of its own that may open so many files and no more. */
final class LimitedProcess implements AutoCloseable {

  private final Process process;
  private final Path errors;

  private LimitedProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
  }

  static LimitedProcess start(Class<?> main, int files) throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no shell to set limits by");
    Path errors = Files.createTempFile("errors", ".txt");
    String modules = System.getProperty("jdk.module.path", "");
    String places =
        String.join(
            File.pathSeparator,
            "target/test-classes",
            "target/classes",
            modules,
            System.getProperty("java.class.path"));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String script = "ulimit -n " + files + " && exec \"$0\" \"$@\"";
    ProcessBuilder builder =
        new ProcessBuilder(List.of("/bin/sh", "-c", script, java, "-cp", places, main.getName()));
    return new LimitedProcess(builder.redirectError(errors.toFile()).start(), errors);
  }

  /** Reads the number that the process says first. */
  int number() throws IOException {
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    return Integer.parseInt(Objects.requireNonNull(out.readLine(), () -> "died: " + errorText()));
  }

  /** Waits until the process has complained. */
  void awaitError(String text) throws InterruptedException {
    while (errors(text) == 0) {
      Thread.sleep(20);
    }
  }

  /** Counts the lines of complaint that have a text. */
  long errors(String text) {
    return errorText().lines().filter(line -> line.contains(text)).count();
  }

  private String errorText() {
    try {
      return Files.readString(errors);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.delete(errors);
  }
}
