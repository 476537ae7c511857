package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RotatingTargetTest {

  @TempDir private Path folder;
  private Instant now = Instant.parse("2026-11-20T23:59:58.123Z");
  private final List<String> reports = new ArrayList<>();

  private final Clock clock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
          return now;
        }
      };

  private Path file() {
    return folder.resolve("a.log");
  }

  private FileTarget open(RotatingFile options) throws IOException {
    return new FileTarget(
        options.rules(),
        clock,
        new LossCounter(System::nanoTime, (text, cause) -> reports.add(text), task -> {}));
  }

  /** Returns names and contents, with compressed files decompressed. */
  private SortedMap<String, String> files() throws IOException {
    SortedMap<String, String> all = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        all.put(name, name.endsWith(".gz") ? unzip(file) : Files.readString(file));
      }
    }
    return all;
  }

  private static String unzip(Path file) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void theFirstLineOfADayBeginsANewFile() throws Exception {
    FileTarget target = open(RotatingFile.of(file()).daily());
    target.write(List.of("one\n"));
    now = Instant.parse("2026-11-21T00:00:00Z");
    target.write(List.of("two\n", "three\n"));
    now = Instant.parse("2026-11-21T23:59:59.999Z");
    target.write(List.of("four\n"));
    target.release();
    assertEquals(
        Map.of("a.log", "two\nthree\nfour\n", "a.log.2026-11-20T23-59-58.123", "one\n"), files());
  }

  @Test
  void theFirstLineOfAnHourBeginsANewFileWhateverTheZone() throws Exception {
    FileTarget target = open(RotatingFile.of(file()).hourly());
    target.write(List.of("one\n"));
    now = now.plusSeconds(1);
    target.write(List.of("two\n"));
    now = now.plusSeconds(3600 * 5);
    target.write(List.of("three\n"));
    target.release();
    assertEquals(
        Map.of("a.log", "three\n", "a.log.2026-11-20T23-59-59.123", "one\ntwo\n"), files());
  }

  @Test
  void filesOfAnEarlierProcessAreRotated() throws Exception {
    Files.writeString(file(), "before\n");
    Files.setLastModifiedTime(file(), FileTime.from(Instant.parse("2026-11-18T10:00:00Z")));
    FileTarget target = open(RotatingFile.of(file()).daily());
    target.write(List.of("one\n"));
    target.release();
    assertEquals(Map.of("a.log", "one\n", "a.log.2026-11-18T10-00-00.000", "before\n"), files());
  }

  @Test
  void noFileGetsMoreBytesThanAllowedUnlessALineHasMore() throws Exception {
    FileTarget target = open(RotatingFile.of(file()).maxBytes(8));
    target.write(List.of("abc\n", "d\u00ebf\n", "ghi\n", "0123456789\n", "jkl\n"));
    target.write(List.of("mno\n"));
    target.release();
    assertEquals(
        List.of("jkl\nmno\n", "abc\n", "d\u00ebf\n", "ghi\n", "0123456789\n"), moved(files()));
  }

  @Test
  void theEndOfAnIncompleteLineCountsTowardsTheMaximumSize() throws Exception {
    Files.writeString(file(), "abc");
    FileTarget target = open(RotatingFile.of(file()).maxBytes(8));
    target.write(List.of("defg\n"));
    target.release();
    assertEquals(List.of("defg\n", "abc\n"), moved(files()));
  }

  /** Returns the contents, the current file first, the others in the order of their names. */
  private static List<String> moved(Map<String, String> files) {
    return List.copyOf(files.values());
  }

  @Test
  void filesRotatedInOneMillisecondDoNotOverwriteEachOther() throws Exception {
    FileTarget target = open(RotatingFile.of(file()).maxBytes(2));
    for (int i = 0; i < 10; i++) {
      target.write(List.of(i + "\n"));
    }
    target.release();
    assertEquals("9\n0\n1\n2\n3\n4\n5\n6\n7\n8\n", String.join("", moved(files())));
    assertTrue(files().containsKey("a.log.2026-11-20T23-59-58.131"));
  }

  @Test
  void theOldestAreDeletedAndNothingElse() throws Exception {
    List<String> others =
        List.of("a.log.1", "a.log.old", "b.log.2026-01-01T00-00-00.000", "a.log.2026-01-01");
    for (String other : others) {
      Files.writeString(folder.resolve(other), "");
    }
    Files.writeString(folder.resolve("a.log.2026-01-01T00-00-00.000.gz"), "");
    Files.writeString(folder.resolve("a.log.2026-01-01T00-00-00.000"), "");
    FileTarget target = open(RotatingFile.of(file()).maxBytes(2).maxFiles(2));
    for (int i = 0; i < 4; i++) {
      target.write(List.of(i + "\n"));
    }
    target.release();
    SortedMap<String, String> left = files();
    assertTrue(left.keySet().containsAll(others));
    left.keySet().removeAll(others);
    assertEquals(List.of("3\n", "1\n", "2\n"), moved(left));
  }

  @Test
  void rotatedFilesAreCompressedBeforeTheSinkIsClosed() throws Exception {
    FileTarget target = open(RotatingFile.of(file()).maxBytes(2).maxFiles(2).compress(true));
    for (int i = 0; i < 4; i++) {
      target.write(List.of(i + "\n"));
    }
    target.release();
    target.settle();
    assertEquals(List.of("3\n", "1\n", "2\n"), moved(files()));
    assertTrue(files().keySet().stream().skip(1).allMatch(name -> name.endsWith(".gz")));
    assertEquals(List.of(), reports);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS) // it has other permissions
  void newAndCompressedFilesHaveThePermissionsOfTheFirst() throws Exception {
    FileTarget target = open(RotatingFile.of(file()).maxBytes(2).compress(true));
    Set<PosixFilePermission> permissions = PosixFilePermissions.fromString("rw-rw----");
    Files.setPosixFilePermissions(file(), permissions);
    target.write(List.of("1\n", "2\n"));
    target.release();
    target.settle();
    assertEquals(List.of("2\n", "1\n"), moved(files()));
    for (String name : files().keySet()) {
      assertEquals(permissions, Files.getPosixFilePermissions(folder.resolve(name)), name);
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS) // its names have another limit
  void aFileThatCannotBeRenamedIsWrittenOnAndTriedAgainAMinuteLater() throws Exception {
    Path file = folder.resolve("x".repeat(240)); // a name of 264 bytes is too long
    FileTarget target = open(RotatingFile.of(file).daily().maxBytes(8));
    target.write(List.of("abc\n"));
    now = now.plusSeconds(2);
    target.write(List.of("def\n"));
    now = now.plusSeconds(59);
    target.write(List.of("ghi\n"));
    assertEquals(1, reports.size());
    assertEquals("abc\ndef\nghi\n", Files.readString(file));
    now = now.plusSeconds(1);
    target.write(List.of("jkl\n"));
    target.release();
    assertEquals("abc\ndef\nghi\njkl\n", Files.readString(file));
    assertEquals(List.of("rotating a log file failed; lines lost so far: 0"), reports);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFileThatCannotBeCompressedIsKeptAsItIs() throws Exception {
    Path file = folder.resolve("x".repeat(230));
    FileTarget target = open(RotatingFile.of(file).maxBytes(2).compress(true));
    target.write(List.of("1\n", "2\n"));
    target.release();
    target.settle();
    assertEquals(List.of("2\n", "1\n"), moved(files()));
    assertEquals(List.of("compressing a log file failed; lines lost so far: 0"), reports);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS) // where an open file keeps its name
  void aFileThatAnotherProcessMovesIsCreatedAgain() throws Exception {
    FileTarget target = open(RotatingFile.of(file()).maxBytes(100));
    target.write(List.of("1\n"));
    Files.move(file(), folder.resolve("b.log"));
    target.write(List.of("2\n"));
    Files.delete(file());
    target.write(List.of("3\n"));
    target.release();
    assertEquals(Map.of("a.log", "3\n", "b.log", "1\n"), files());
  }

  @Test
  @DisabledOnOs(OS.WINDOWS) // it has no such device
  void aDeviceIsNotRenamed() throws Exception {
    Files.createSymbolicLink(file(), Path.of("/dev/null"));
    FileTarget target = open(RotatingFile.of(file()).daily().maxBytes(2));
    target.write(List.of("1\n", "2\n"));
    now = now.plusSeconds(2);
    target.write(List.of("3\n"));
    target.release();
    assertEquals(Map.of("a.log", ""), files());
    assertTrue(Files.isSymbolicLink(file()));
  }

  @Test
  void aReleasedTargetOpensAgain() throws Exception {
    FileTarget target = open(RotatingFile.of(file()).maxBytes(100));
    target.write(List.of("1\n"));
    target.release();
    target.write(List.of("2\n"));
    target.release();
    assertEquals("1\n2\n", Files.readString(file()));
  }

  @Test
  void namesWithPercentSignsAreNames() throws Exception {
    Path file = folder.resolve("%d{yyyy}%.log");
    FileTarget target = open(RotatingFile.of(file).maxBytes(2));
    target.write(List.of("1\n", "2\n"));
    target.release();
    assertEquals(
        List.of("%d{yyyy}%.log", "%d{yyyy}%.log.2026-11-20T23-59-58.123"),
        List.copyOf(files().keySet()));
  }

  @Test
  void noLineIsLostOrTornByManyRotations() throws Exception {
    LogSink sink =
        LogSink.rotating(RotatingFile.of(file()).maxBytes("4kb").compress(true))
            .enqueueTimeout(Duration.ofSeconds(10));
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int number = t;
      Thread thread =
          new Thread(
              () -> IntStream.range(0, 2500).forEach(i -> sink.write(number + "/" + i + "\n")));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    sink.close();
    SortedMap<String, String> files = files();
    String current = files.remove("a.log");
    List<String> lines = (String.join("", files.values()) + current).lines().toList();
    assertEquals(0, sink.lostLines());
    for (int t = 0; t < 4; t++) {
      String own = t + "/";
      assertEquals(
          IntStream.range(0, 2500).mapToObj(i -> own + i).toList(),
          lines.stream().filter(line -> line.startsWith(own)).toList());
    }
    assertTrue(files.size() > 10, files.keySet()::toString);
    assertTrue(files.values().stream().allMatch(text -> text.length() <= 4096));
    assertTrue(files.keySet().stream().allMatch(name -> name.endsWith(".gz")));
  }

  @Test
  void theSameOptionsGiveTheSameSinkAndOthersAreRejected() {
    RotatingFile options = RotatingFile.of(file()).daily();
    LogSink sink = LogSink.rotating(options);
    assertSame(sink, LogSink.rotating(RotatingFile.of(file()).daily()));
    assertSame(sink, LogSink.file(file()));
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> LogSink.rotating(options.hourly()));
    assertTrue(String.valueOf(e.getMessage()).contains("other options"));
    sink.close();
  }

  @Test
  void aFileThatCannotBeWrittenIsRejectedAtOnce() {
    RotatingFile options = RotatingFile.of(folder.resolve("none/a.log")).daily();
    RuntimeException e = assertThrows(UncheckedIOException.class, () -> LogSink.rotating(options));
    assertTrue(String.valueOf(e.getMessage()).contains("a.log"));
  }

  @Test
  void nothingIsPrintedAndAllIsWrittenWhenTheProcessEnds() throws Exception {
    Path logs = Files.createDirectory(folder.resolve("logs"));
    ChildProcess child =
        ChildProcess.run(folder, jar -> true, RotatingMain.class, logs.resolve("a.log").toString());
    assertEquals("", child.err());
    assertEquals("", child.out());
    folder = logs;
    assertEquals(List.of("two\n", "one\n"), moved(files()));
  }
}
