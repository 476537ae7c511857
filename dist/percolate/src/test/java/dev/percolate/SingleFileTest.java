package dev.percolate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.testkit.Call;
import java.io.BufferedReader;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers in a single file, started as their comments describe: the JDK compiles them, and they
 * import a module.
 */
@EnabledForJreRange(min = JRE.JAVA_25)
final class SingleFileTest {

  @TempDir private Path folder;

  @Test
  void theSmallestServerAnswers() throws Exception {
    assertEquals("Hello, world!", answer("Hello", Call.get("/")));
  }

  @Test
  void aScopedValueHoldsBehindABodyParser() throws Exception {
    Call call = Call.post("/").header("X-User", "Ann").header("Content-Type", "text/plain");
    assertEquals("Ann says hi", answer("Scoped", call.body("hi")));
  }

  private String answer(String name, Call call) throws Exception {
    String program = Files.readString(Path.of("../../samples/examples/single", name + ".java"));
    Path file = folder.resolve(name + ".java");
    Files.writeString(file, program.replace("listen(3000)", "listen(0)"));
    Process process =
        new ProcessBuilder(java(), "-p", path(), "--add-modules", "dev.percolate", file.toString())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output = process.inputReader()) {
      String line = String.valueOf(output.readLine());
      assertTrue(line.contains("http://"), line);
      return call.to(URI.create(line.substring(line.indexOf("http")))).text();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static String path() {
    return Stream.of("jdk.module.path", "java.class.path")
        .map(System::getProperty)
        .filter(Objects::nonNull)
        .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
        .filter(entry -> !entry.isEmpty())
        .filter(entry -> !entry.contains("test-classes") && !entry.contains("junit"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
