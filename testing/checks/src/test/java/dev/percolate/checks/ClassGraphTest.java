package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassGraphTest {
  @TempDir private Path folder;

  @Test
  void cyclesThroughNestedClassesAreFound() throws IOException {
    compile(
        """
        package pair;
        class Left { int wings; Right other() { return null; } }
        class Right { static class Nested { int of(Left left) { return left.wings; } } }
        class User { Left left; }
        """);
    Map<String, Set<String>> graph = ClassGraph.of(folder);
    assertEquals(
        Map.of(
            "pair.Left", Set.of("pair.Right"),
            "pair.Right", Set.of("pair.Left"),
            "pair.User", Set.of("pair.Left")),
        graph);
    assertEquals(List.of(List.of("pair.Left", "pair.Right")), Components.of(graph));
  }

  @Test
  void aDescriptorRequiresNoOtherModule() throws IOException {
    compile("module alone { requires static java.sql; }");
    assertEquals(Map.of(), ClassGraph.of(folder));
  }

  @Test
  void missingClassesAreAnError() {
    assertThrows(NoSuchFileException.class, () -> ClassGraph.of(folder.resolve("missing")));
  }

  @Test
  void requestDependsOnSettings() throws IOException {
    Set<String> needed = ClassGraph.of(Modules.classes("core")).get("dev.percolate.core.Request");
    assertTrue(needed.contains("dev.percolate.core.Settings"), needed::toString);
  }

  private void compile(String source) throws IOException {
    boolean descriptor = source.startsWith("module");
    Path file =
        Files.writeString(folder.resolve(descriptor ? "module-info.java" : "Classes.java"), source);
    int failed =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(System.out, System.err, "-d", folder.toString(), file.toString());
    assertEquals(0, failed);
  }
}
