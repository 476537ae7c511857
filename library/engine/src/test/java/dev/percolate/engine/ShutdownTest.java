package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ShutdownTest {

  @DisplayName("DOS-08: the shutdown continues after tasks that throw errors")
  @Test
  @Timeout(60)
  @DisabledOnOs(OS.WINDOWS) // it ends processes without telling them
  void resourcesAreClosedInOrderEvenIfSomeThrowErrors() throws Exception {
    Process process = start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertEquals("ready", lines.readLine());
      process.toHandle().destroy(); // the process would close its output too
      assertEquals(
          List.of("server", "server", "application 2", "application 1", "sink that fails", "sink"),
          lines.lines().toList());
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      assertEquals(143, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void openResourcesAreListedUntilTheyAreRemoved() {
    AutoCloseable first = () -> {};
    AutoCloseable second = () -> {};
    Shutdown.add(Shutdown.Stage.APPLICATIONS, first);
    Shutdown.add(Shutdown.Stage.APPLICATIONS, second);
    assertEquals(List.of(second, first), Shutdown.open(Shutdown.Stage.APPLICATIONS));
    Shutdown.remove(Shutdown.Stage.APPLICATIONS, second);
    assertEquals(List.of(first), Shutdown.open(Shutdown.Stage.APPLICATIONS));
    Shutdown.remove(Shutdown.Stage.APPLICATIONS, first);
    assertEquals(List.of(), Shutdown.open(Shutdown.Stage.APPLICATIONS));
  }

  @Test
  @Timeout(60)
  @DisabledOnOs(OS.WINDOWS)
  void aSecondSignalEndsTheProcessImmediately() throws Exception {
    Process process = start("drains for ever");
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertEquals("ready", lines.readLine());
      process.toHandle().destroy();
      for (String line = "ready"; !line.equals("draining"); ) {
        line = Objects.requireNonNull(lines.readLine());
      }
      process.toHandle().destroy();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      assertEquals(143, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }

  private static Process start(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(root(Shutdown.class) + File.pathSeparator + root(ShutdownMain.class));
    command.add(ShutdownMain.class.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  static Path root(Class<?> type) throws Exception {
    String file = type.getSimpleName() + ".class";
    URI uri = Objects.requireNonNull(type.getResource(file)).toURI();
    Path root = Path.of(uri);
    for (int i = 0; i <= type.getName().chars().filter(c -> c == '.').count(); i++) {
      root = Objects.requireNonNull(root.getParent());
    }
    return root;
  }
}
