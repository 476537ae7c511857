package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks that the drawing and the table of the architecture page match the code. */
final class ArchitectureTest {

  private static final Path DRAWING = Modules.ROOT.resolve(Path.of("docs", "architecture.svg"));
  private static final Path PAGE = Modules.ROOT.resolve(Path.of("docs", "architecture.md"));

  @Test
  void theDrawingShowsTheModules() throws IOException {
    String drawn = ModuleDrawing.ofAllModules();
    if (Boolean.getBoolean("architecture.update")) {
      Files.writeString(DRAWING, drawn);
    }
    assertEquals(
        Files.readString(DRAWING),
        drawn,
        "update docs/architecture.svg: mvn -pl :percolate-checks -am test -Dtest=ArchitectureTest"
            + " -Darchitecture.update=true -Dsurefire.failIfNoSpecifiedTests=false");
  }

  @Test
  void thePageHasEachModule() throws IOException {
    String page = Files.readString(PAGE);
    List<String> untold =
        Modules.all().stream()
            .filter(module -> !module.startsWith("views-"))
            .filter(module -> !page.contains("`" + module + "`"))
            .toList();
    assertEquals(List.of(), untold);
    assertTrue(page.contains("| `views-…` |"));
  }
}
