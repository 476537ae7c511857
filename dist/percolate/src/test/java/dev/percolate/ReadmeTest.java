package dev.percolate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.testkit.Call;
import java.io.BufferedReader;
import java.io.File;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first program of the README compiles, runs and responds. */
final class ReadmeTest {

  private static final String FENCE = "```";

  @TempDir private Path folder;

  @Test
  void helloWorldCompilesRunsAndAnswers() throws Exception {
    String program = firstProgram();
    assertTrue(program.lines().count() <= 12, program);
    assertTrue(program.contains("listen(3000)"), program);
    compile(program.replace("listen(3000)", "listen(0)"));
    Process process =
        new ProcessBuilder(java(), "-cp", folder + File.pathSeparator + classPath(), "Hello")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output = process.inputReader()) {
      String line = String.valueOf(output.readLine());
      assertTrue(line.contains("http://"), line);
      URI uri = URI.create(line.substring(line.indexOf("http")));
      assertEquals("Hello, world!", Call.get("/").to(uri).text());
      process.toHandle().destroy(); // unlike the method of Process, this leaves the output open
      List<String> rest = output.lines().toList();
      assertEquals(143, process.waitFor(), rest.toString());
      assertEquals(List.of(), rest);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void withTheArgumentRoutesItPrintsItsRoutesAndEnds() throws Exception {
    compile(firstProgram());
    String path = folder + File.pathSeparator + classPath();
    Process process =
        new ProcessBuilder(java(), "-cp", path, "Hello", "--routes")
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), printed);
    assertTrue(printed.matches("get     / +lambda of Hello at Hello.java:\\d+\\n"), printed);
  }

  private static String firstProgram() throws Exception {
    String readme = Files.readString(Path.of("../../README.md"));
    int start = readme.indexOf(FENCE + "java\n") + FENCE.length() + "java\n".length();
    return readme.substring(start, readme.indexOf(FENCE, start));
  }

  private void compile(String program) throws Exception {
    Path source = Files.writeString(folder.resolve("Hello.java"), program);
    int failed =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "-cp",
                classPath(),
                "-d",
                folder.toString(),
                source.toString());
    assertEquals(0, failed);
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static String classPath() {
    return Stream.of("jdk.module.path", "java.class.path")
        .map(System::getProperty)
        .filter(Objects::nonNull)
        .filter(path -> !path.isEmpty())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
