package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS) // where an open file keeps its name
class FileTargetTest {

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("a.log");
  }

  private static FileTarget target(Path file) throws IOException {
    return new FileTarget(RotatingFile.Rules.none(file), Clock.systemUTC(), new LossCounter());
  }

  @Test
  void aNewFileIsCreatedAfterARename() throws Exception {
    FileTarget target = target(file());
    target.write(List.of("1\n"));
    Files.move(file(), folder.resolve("a.log.1"));
    target.write(List.of("2\n"));
    target.write(List.of("3\n"));
    target.release();
    assertEquals("1\n", Files.readString(folder.resolve("a.log.1")));
    assertEquals("2\n3\n", Files.readString(file()));
  }

  @Test
  void aReplacementFileIsAppendedTo() throws Exception {
    FileTarget target = target(file());
    target.write(List.of("1\n"));
    Files.move(file(), folder.resolve("a.log.1"));
    Files.writeString(file(), "new\n");
    target.write(List.of("2\n"));
    target.release();
    assertEquals("new\n2\n", Files.readString(file()));
  }

  @Test
  void aNewFileIsCreatedAfterADeletion() throws Exception {
    FileTarget target = target(file());
    Files.delete(file());
    target.write(List.of("1\n"));
    target.release();
    assertEquals("1\n", Files.readString(file()));
  }

  @Test
  void aTruncatedFileGoesOnAtItsStart() throws Exception {
    FileTarget target = target(file());
    target.write(List.of("1\n"));
    Files.writeString(file(), "");
    target.write(List.of("2\n"));
    target.release();
    assertEquals("2\n", Files.readString(file()));
  }

  @Test
  void anIncompleteLastLineIsEndedBeforeTheNextLine() throws Exception {
    Files.writeString(file(), "{\"url\":\"/a");
    FileTarget target = target(file());
    target.write(List.of("1\n"));
    target.write(List.of("2\n"));
    target.release();
    assertEquals("{\"url\":\"/a\n1\n2\n", Files.readString(file()));
  }

  @Test
  void reopeningIsTriedOnEachWrite() throws Exception {
    Path inner = Files.createDirectory(folder.resolve("logs")).resolve("a.log");
    FileTarget target = target(inner);
    Files.delete(inner);
    Files.delete(folder.resolve("logs"));
    assertThrows(IOException.class, () -> target.write(List.of("1\n")));
    Files.createDirectory(folder.resolve("logs"));
    target.write(List.of("2\n"));
    target.release();
    assertEquals("2\n", Files.readString(inner));
  }
}
