package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ModulesTest {

  @Test
  void publishedModulesHaveADescriptor() throws IOException {
    List<String> published = Modules.published();
    assertTrue(published.size() >= 27, published::toString);
    assertTrue(published.containsAll(List.of("http", "core", "nio", "testkit")));
    assertTrue(
        Modules.all()
            .containsAll(
                List.of(
                    "fixtures", "conformance", "benchmarks", "reliability", "examples", "demo")));
    assertFalse(published.contains("fixtures"));
    assertFalse(published.contains("demo"));
  }

  /** Otherwise Maven could run these tests with classes of an earlier build, or with none. */
  @Test
  void everyModuleIsCompiledBeforeTheseTests() throws IOException {
    Set<String> before = Modules.builtBefore("checks");
    assertEquals(
        List.of(),
        Modules.all().stream().filter(module -> !before.contains(module)).toList(),
        "testing/checks/pom.xml needs dependencies that bring each module");
  }

  @Test
  void everyPublishedModuleIsOnTheClassPath() {
    List<Path> entries =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toAbsolutePath())
            .toList();
    assertEquals(
        List.of(),
        Modules.published().stream()
            .filter(
                module -> {
                  Path target = Modules.folder(module).resolve("target");
                  return entries.stream().noneMatch(entry -> entry.startsWith(target));
                })
            .toList(),
        "testing/checks/pom.xml needs dependencies that bring each published module");
  }

  @Test
  void everyModuleHasCompiledClasses() throws IOException {
    for (String module : Modules.all()) {
      try (Stream<Path> files = Files.walk(Modules.classes(module))) {
        assertTrue(files.anyMatch(file -> file.toString().endsWith(".class")), module);
      }
    }
  }
}
