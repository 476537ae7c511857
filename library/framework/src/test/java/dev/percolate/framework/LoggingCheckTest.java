package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts separate processes, because the logging configuration belongs to a process. */
final class LoggingCheckTest {

  private static final String WARNING = "No logging backend is configured";

  @TempDir private Path folder;

  /** Starts like an application and logs to the console. */
  static final class Start {
    public static void main(String[] args) {
      LoggingCheck.warn();
      LoggingCheck.warn();
    }
  }

  private String output(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    String modules = System.getProperty("jdk.module.path", "");
    String path = System.getProperty("java.class.path") + File.pathSeparator + modules;
    command.addAll(
        List.of("-cp", "target/classes:target/test-classes:" + path, Start.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("APP_ENV");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    return output;
  }

  @Test
  void aMissingLoggingBackendIsReportedOnce() throws Exception {
    String output = output();
    assertTrue(output.contains(WARNING), output);
    assertEquals(output.indexOf(WARNING), output.lastIndexOf(WARNING));
  }

  @Test
  void aConfigurationPreventsTheWarning() throws Exception {
    Path file = folder.resolve("logging.properties");
    Files.writeString(file, "handlers=java.util.logging.ConsoleHandler\n");
    assertFalse(output("-Djava.util.logging.config.file=" + file).contains(WARNING));
    assertFalse(output("-Dpercolate.env=test").contains(WARNING));
  }
}
