package dev.percolate.engine.tests;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A separate JVM with a limited number of file descriptors. */
public final class LimitedProcess implements AutoCloseable {

  private final Process process;
  private final Path errors;

  private LimitedProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
  }

  static LimitedProcess start(int files, Class<?> main, String... arguments) throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no shell that can set limits");
    Path errors = Files.createTempFile("errors", ".txt");
    String script = "ulimit -n " + files + " && exec \"$0\" \"$@\"";
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", script));
    command.addAll(java(List.of(), main, arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    return new LimitedProcess(builder.redirectError(errors.toFile()).start(), errors);
  }

  /**
   * Returns the command that runs a class of these tests in a separate JVM.
   *
   * @param options the options of the JVM
   * @param main the class with the method {@code main}
   * @param arguments the arguments of the method
   * @return the command and its arguments
   */
  public static List<String> java(List<String> options, Class<?> main, String... arguments) {
    String places =
        String.join(
            File.pathSeparator,
            "target/test-classes",
            "target/classes",
            System.getProperty("jdk.module.path", ""),
            System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", places, main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Reads the number that the process prints first. */
  int number() throws IOException {
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    return Integer.parseInt(Objects.requireNonNull(out.readLine(), () -> "died: " + errorText()));
  }

  /** Waits until the process has written an error with a text. */
  void awaitError(String text) throws InterruptedException {
    while (errors(text) == 0 && isAlive()) {
      Thread.sleep(20);
    }
  }

  /** Counts the error lines with a text. */
  long errors(String text) {
    return errorText().lines().filter(line -> line.contains(text)).count();
  }

  /** Sends TERM to the process, and returns its exit status. */
  int end() throws InterruptedException {
    process.toHandle().destroy();
    return process.waitFor(60, TimeUnit.SECONDS) ? process.exitValue() : -1;
  }

  /** Returns true if the process is alive. */
  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns what the process has written to its standard error. */
  String errorText() {
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
