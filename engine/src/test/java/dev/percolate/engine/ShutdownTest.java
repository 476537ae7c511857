package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ShutdownTest {

  @Test
  @Timeout(60)
  @DisabledOnOs(OS.WINDOWS) // it ends processes without telling them
  void serversAreClosedTogetherThenApplicationsTheLastFirstThenSinks() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                root(Shutdown.class) + File.pathSeparator + root(ShutdownMain.class),
                ShutdownMain.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertEquals("ready", lines.readLine());
      process.toHandle().destroy(); // the process would close its output too
      assertEquals(
          List.of("server", "server", "application 2", "application 1", "sink"),
          lines.lines().toList());
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      assertEquals(143, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
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
