package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KnotFileTest {
  private static final List<Knot> THREE = List.of(Knot.of("core 3 A B C"));
  private static final List<Knot> TWO = List.of(Knot.of("core 2 A B"));

  private final KnotFile file;

  KnotFileTest(@TempDir Path folder) {
    file = new KnotFile(folder.resolve("knots.txt"));
  }

  @BeforeEach
  void startWithAKnotOfThree() throws IOException {
    file.write(THREE, true);
  }

  @Test
  void writtenKnotsAreRead() throws IOException {
    assertEquals(THREE, file.knots());
    assertEquals(KnotFile.text(THREE), file.text());
    assertTrue(file.text().endsWith("\ncore 3 A B C\n"), file.text());
  }

  @Test
  void smallerKnotsAreWritten() throws IOException {
    file.write(TWO, false);
    assertEquals(TWO, file.knots());
    file.write(List.of(), false);
    assertEquals(List.of(), file.knots());
  }

  @Test
  void largerKnotsAreWrittenOnlyIfTheyMayGrow() throws IOException {
    file.write(TWO, false);
    var rejected = assertThrows(IllegalStateException.class, () -> file.write(THREE, false));
    assertTrue(rejected.getMessage().contains("joined: 1 (C)"), rejected::getMessage);
    assertEquals(TWO, file.knots());
    file.write(THREE, true);
    assertEquals(THREE, file.knots());
  }
}
