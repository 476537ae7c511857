package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {

  private static final String CURE = "; -Dsnapshot.update=true writes it";

  @TempDir private Path folder;

  @Test
  void equalTextPasses() throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), "a\r\nb\r\n");
    Snapshot.check(file, "a\nb\n");
  }

  @Test
  void theFirstDifferenceIsShown() throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), "a\nb\nc\n");
    assertEquals(file + ":2 differs" + CURE + "\n- b\n+ x", failure(file, "a\nx\ny\nc"));
    assertEquals(file + ":3 differs" + CURE + "\n- c\n+ (end)", failure(file, "a\nb\n"));
    assertEquals(file + ":4 differs" + CURE + "\n- (end)\n+ d", failure(file, "a\nb\nc\nd"));
    assertEquals("a\nb\nc\n", Files.readString(file));
  }

  @Test
  void aMissingFileFailsUnlessItIsWritten() throws IOException {
    Path file = folder.resolve("new/a.txt");
    assertEquals(file + " does not exist" + CURE, failure(file, "a\n"));
    assertFalse(Files.exists(file));
    System.setProperty("snapshot.update", "true");
    try {
      Snapshot.check(file, "a\n");
    } finally {
      System.clearProperty("snapshot.update");
    }
    assertEquals("a\n", Files.readString(file));
  }

  private static String failure(Path file, String text) {
    return String.valueOf(
        assertThrows(AssertionError.class, () -> Snapshot.check(file, text)).getMessage());
  }
}
