package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FatalErrorHandlerTest {

  @Test
  void theProcessEndsWithALineThatNamesWhatFailedAndWhy() throws Exception {
    String said = ended("error");
    assertTrue(said.startsWith("percolate: the event loop failed; ending the process: "), said);
    assertTrue(said.contains("NoClassDefFoundError: gone"), said);
  }

  @Test
  void theProcessEndsWithoutFreeMemory() throws Exception {
    String said = ended("memory");
    assertTrue(said.contains("ending the process"), said);
  }

  private static String ended(String way) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx16m",
                "-XX:+UseSerialGC",
                "-cp",
                ShutdownTest.root(FatalErrorHandler.class)
                    + File.pathSeparator
                    + ShutdownTest.root(FatalErrorMain.class),
                FatalErrorMain.class.getName(),
                way)
            .start();
    try {
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      assertEquals(FatalErrorHandler.STATUS, process.exitValue());
      return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }
}
