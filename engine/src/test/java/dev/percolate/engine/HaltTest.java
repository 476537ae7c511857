package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HaltTest {

  @Test
  void aThreadThatDiesOfAnErrorEndsTheProcessWithALineThatNamesBoth() throws Exception {
    String said = ended("error");
    assertTrue(said.startsWith("percolate: the event loop has died, the process ends: "), said);
    assertTrue(said.contains("NoClassDefFoundError: gone"), said);
  }

  @Test
  void alsoWhereThereIsNoMemoryLeft() throws Exception {
    String said = ended("memory");
    assertTrue(said.contains("has died"), said);
  }

  @Test
  void aThreadThatIsWatchedEndsTheProcessWhenItDiesUnlessItWasMeantTo() throws Exception {
    String said = ended("watched");
    assertTrue(said.contains("the event loop has died"), said);
    assertFalse(said.contains("told to end"), said);
  }

  @Test
  void whatIsNoErrorPasses() {
    Runnable task =
        () -> {
          throw new IllegalStateException("its own business");
        };
    assertThrows(IllegalStateException.class, Halt.onError("test", task)::run);
  }

  private static String ended(String way) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx16m",
                "-XX:+UseSerialGC",
                "-cp",
                ShutdownTest.root(Halt.class)
                    + File.pathSeparator
                    + ShutdownTest.root(HaltMain.class),
                HaltMain.class.getName(),
                way)
            .start();
    try {
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      assertEquals(Halt.STATUS, process.exitValue());
      return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }
}
