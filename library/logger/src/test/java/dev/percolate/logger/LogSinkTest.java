package dev.percolate.logger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LogSinkTest {

  /** A stream that blocks until it is opened. */
  private static final class Gate extends OutputStream {

    final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    final CountDownLatch reached = new CountDownLatch(1);
    final CountDownLatch open = new CountDownLatch(1);

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      reached.countDown();
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      taken.write(bytes, offset, length);
    }

    /** Makes the writer thread wait here with one line. */
    void catchWriter(LogSink sink) throws InterruptedException {
      sink.write("first\n");
      reached.await();
    }

    List<String> lines() {
      return taken.toString(UTF_8).lines().toList();
    }
  }

  private static void flood(LogSink sink, int threads, int lines) throws InterruptedException {
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int number = t;
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < lines; i++) {
                  sink.write(number + "/" + i + "/" + "x".repeat(i % 50) + "\n");
                }
              });
      all.add(thread);
      thread.start();
    }
    for (Thread thread : all) {
      thread.join();
    }
  }

  /** Checks that the lines of each thread are complete, unique and in order. */
  private static void assertWhole(List<String> lines, int threads, int each) {
    assertEquals(threads * each, lines.size());
    int[] next = new int[threads];
    for (String line : lines) {
      String[] parts = line.split("/", -1);
      int thread = Integer.parseInt(parts[0]);
      assertEquals(next[thread], Integer.parseInt(parts[1]));
      assertEquals("x".repeat(next[thread] % 50), parts[2]);
      next[thread]++;
    }
  }

  @Test
  void noLineOfManyThreadsIsLostOrMixed(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("access.log");
    LogSink sink = LogSink.file(file).enqueueTimeout(Duration.ofSeconds(10));
    flood(sink, 8, 10_000);
    sink.close();
    assertEquals(0, sink.lostLines());
    assertWhole(Files.readAllLines(file), 8, 10_000);
  }

  @Test
  void closingUnderLoadLosesNothing() throws Exception {
    for (int round = 0; round < 20; round++) {
      StringWriter text = new StringWriter();
      LogSink sink = LogSink.of(text).enqueueTimeout(Duration.ofSeconds(10));
      Thread closing =
          new Thread(
              () -> {
                while (text.getBuffer().length() < 1000) {
                  Thread.onSpinWait();
                }
                sink.close();
              });
      closing.start();
      flood(sink, 4, 500);
      closing.join();
      assertEquals(0, sink.lostLines());
      assertWhole(text.toString().lines().toList(), 4, 500);
    }
  }

  @Test
  void aLineThatComesWhileTheWriterGoesToSleepWakesIt() throws Exception {
    AtomicInteger taken = new AtomicInteger();
    Consumer<String> target = line -> taken.incrementAndGet();
    LogSink sink = LogSink.of(target).batchDelay(Duration.ofMillis(1));
    for (int round = 1; round <= 1000; round++) {
      sink.write("line\n");
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (taken.get() < round) {
        assertTrue(System.nanoTime() - end < 0, "line " + round + " was not written");
      }
      for (int i = round % 100; i > 0; i--) { // the next line is written a little later each time
        Thread.onSpinWait();
      }
    }
    sink.close();
  }

  @Test
  void twoSinksOfOneTargetDoNotMixTheirLines() throws Exception {
    StringWriter text = new StringWriter();
    LogSink one = LogSink.of(text).capacity(100_000);
    LogSink two = LogSink.of(text).capacity(200_000);
    Thread other = new Thread(() -> two.write("a".repeat(5000) + "\n"));
    other.start();
    one.write("b".repeat(5000) + "\n");
    other.join();
    one.close();
    two.close();
    assertEquals(
        List.of("a".repeat(5000), "b".repeat(5000)), text.toString().lines().sorted().toList());
  }

  @Test
  void gatheredLinesAreWrittenInOneCall() throws Exception {
    List<Integer> writings = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch open = new CountDownLatch(1);
    OutputStream stream =
        new OutputStream() {
          @Override
          public void write(int b) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void write(byte[] bytes, int offset, int length) throws IOException {
            writings.add(length);
            reached.countDown();
            try {
              open.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          }
        };
    LogSink sink = LogSink.of(stream);
    sink.write("1\n");
    reached.await();
    for (int i = 0; i < 100; i++) {
      sink.write("line\n");
    }
    open.countDown();
    sink.close();
    assertEquals(List.of(2, 500), writings);
  }

  @Test
  void aFullQueueDropsAndCountsWithoutWaiting() throws Exception {
    Gate gate = new Gate();
    LogSink sink = LogSink.of(gate).capacity(10);
    gate.catchWriter(sink);
    long start = System.nanoTime();
    for (int i = 0; i < 25; i++) {
      sink.write(i + "\n");
    }
    assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(1));
    assertEquals(15, sink.lostLines());
    gate.open.countDown();
    sink.close();
    assertEquals(List.of("first", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"), gate.lines());
  }

  @Test
  void longLinesFillTheQueueToo() throws Exception {
    Gate gate = new Gate();
    LogSink sink = LogSink.of(gate).capacity(10);
    gate.catchWriter(sink);
    sink.write("a".repeat(10_000) + "\n");
    sink.write("b\n");
    assertEquals(1, sink.lostLines());
    gate.open.countDown();
    sink.close();
    assertEquals(List.of("first", "a".repeat(10_000)), gate.lines());
  }

  @Test
  void theDefaultQueueHolds16384Lines() throws Exception {
    Gate gate = new Gate();
    LogSink sink = LogSink.of(gate);
    gate.catchWriter(sink);
    for (int i = 0; i < 16_388; i++) {
      sink.write("x\n");
    }
    assertEquals(4, sink.lostLines());
    gate.open.countDown();
    sink.close();
    assertEquals(16_385, gate.lines().size());
  }

  @Test
  void aPatientSinkWaitsForRoomAndThenDrops() throws Exception {
    Gate gate = new Gate();
    LogSink sink = LogSink.of(gate).capacity(1).enqueueTimeout(Duration.ofMillis(50));
    gate.catchWriter(sink);
    sink.write("second\n");
    long start = System.nanoTime();
    sink.write("dropped\n");
    assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(50));
    assertEquals(1, sink.lostLines());
    gate.open.countDown();
    sink.close();
    assertEquals(List.of("first", "second"), gate.lines());
  }

  @Test
  void aFailingTargetLosesItsLinesAndRecovers() throws Exception {
    AtomicBoolean broken = new AtomicBoolean(true);
    List<String> taken = Collections.synchronizedList(new ArrayList<>());
    Consumer<String> target =
        line -> {
          if (broken.get()) {
            throw new IllegalStateException("disk full");
          }
          taken.add(line);
        };
    LogSink sink = LogSink.of(target);
    sink.write("lost\n");
    while (sink.lostLines() == 0) {
      Thread.onSpinWait();
    }
    broken.set(false);
    sink.write("kept\n");
    sink.close();
    assertEquals(List.of("kept\n"), taken);
    assertEquals(1, sink.lostLines());
  }

  @Test
  void writeThroughReachesTheTargetAtOnce() {
    List<String> taken = Collections.synchronizedList(new ArrayList<>());
    LogSink sink = LogSink.of((Consumer<String>) taken::add);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      expected.add(i + "\n");
      sink.writeThrough(i + "\n");
      assertEquals(expected.size(), taken.size());
    }
    sink.close();
    sink.writeThrough("late\n");
    expected.add("late\n");
    assertEquals(expected, taken);
  }

  @Test
  void writingThroughAStalledTargetWaitsOnceAndThenNotUntilItTakesLines() throws Exception {
    Gate gate = new Gate();
    LogSink sink = LogSink.of(gate);
    gate.catchWriter(sink);
    long start = System.nanoTime();
    for (int i = 0; i < 20; i++) {
      sink.writeThrough(i + "\n");
    }
    long waited = System.nanoTime() - start;
    assertTrue(waited >= TimeUnit.SECONDS.toNanos(1));
    assertTrue(waited < TimeUnit.SECONDS.toNanos(10));
    gate.open.countDown();
    while (gate.lines().size() < 21) {
      Thread.onSpinWait();
    }
    sink.close();
  }

  @Test
  void aConsumerGetsOneLineACall() {
    List<String> taken = Collections.synchronizedList(new ArrayList<>());
    LogSink sink = LogSink.of((Consumer<String>) taken::add);
    sink.write("a\n");
    sink.write("b\n");
    sink.close();
    assertEquals(List.of("a\n", "b\n"), taken);
  }

  @Test
  void aDirectSinkCallsOnTheThreadThatWrites() {
    List<Thread> threads = new ArrayList<>();
    LogSink sink = LogSink.direct(line -> threads.add(Thread.currentThread()));
    sink.write("a\n");
    assertEquals(List.of(Thread.currentThread()), threads);
  }

  @Test
  void aDirectSinkThatThrowsCountsTheLine() {
    LogSink sink =
        LogSink.direct(
            line -> {
              throw new IllegalStateException("no");
            });
    sink.write("a\n");
    assertEquals(1, sink.lostLines());
  }

  @Test
  void linesAfterCloseAreWrittenBeforeWriteReturns() {
    StringBuilder text = new StringBuilder();
    LogSink sink = LogSink.of(text);
    sink.write("a\n");
    sink.close();
    sink.write("b\n");
    sink.close();
    assertEquals("a\nb\n", text.toString());
  }

  @Test
  void anInterruptedThreadWritesItsLateLineAndStaysInterrupted(@TempDir Path folder)
      throws Exception {
    Path file = folder.resolve("late.log");
    LogSink sink = LogSink.file(file);
    sink.close();
    Thread.currentThread().interrupt();
    sink.write("late\n");
    assertTrue(Thread.interrupted());
    assertEquals("late\n", Files.readString(file));
  }

  @Test
  void aFileIsAppendedToInUtf8(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("a.log"), "before\n");
    LogSink sink = LogSink.file(file);
    sink.write("Zo\u00eb\n");
    sink.close();
    sink.write("after\n");
    assertEquals("before\nZo\u00eb\nafter\n", Files.readString(file, UTF_8));
  }

  @Test
  void aFileThatCannotBeWrittenIsRejectedAtOnce(@TempDir Path folder) {
    UncheckedIOException e =
        assertThrows(UncheckedIOException.class, () -> LogSink.file(folder.resolve("none/a.log")));
    assertTrue(String.valueOf(e.getMessage()).contains("a.log"));
  }

  @Test
  void bufferedWritersShowTheirLinesSoon() throws Exception {
    StringWriter text = new StringWriter();
    LogSink sink = LogSink.of(new BufferedWriter(text));
    sink.write("a\n");
    while (!text.toString().equals("a\n")) {
      Thread.sleep(1);
    }
    sink.close();
  }

  @Test
  void theSameTargetHasTheSameSinkWhileItIsOpen(@TempDir Path folder) {
    StringBuilder text = new StringBuilder();
    LogSink sink = LogSink.of(text);
    assertSame(sink, LogSink.of(text));
    assertNotSame(sink, LogSink.of(new StringBuilder()));
    LogSink file = LogSink.file(folder.resolve("a.log"));
    assertSame(file, LogSink.file(folder.resolve("x/../a.log")));
    assertSame(LogSink.stdout(), LogSink.of(System.out));
    sink.close();
    file.close();
    assertNotSame(sink, LogSink.of(text));
  }

  @Test
  void standardOutputIsFollowedWhenItIsReplaced() {
    PrintStream real = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    LogSink sink = LogSink.stdout();
    System.setOut(new PrintStream(bytes, false, UTF_8));
    try {
      sink.write("Zo\u00eb\n");
      sink.close();
    } finally {
      System.setOut(real);
    }
    assertEquals("Zo\u00eb\n", bytes.toString(UTF_8));
  }

  @Test
  void theFirstFailureOfAPrintStreamIsCounted() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("no space left");
          }
        };
    LogSink sink = LogSink.of(new PrintStream(full, false, UTF_8));
    sink.write("a\n");
    sink.close();
    assertEquals(1, sink.lostLines());
  }

  @Test
  void theWriterIsADaemonThatComesWithTheFirstLine() {
    StringBuilder text = new StringBuilder();
    Thread[] writer = new Thread[1];
    LogSink sink =
        LogSink.of(
            (Consumer<String>)
                line -> {
                  writer[0] = Thread.currentThread();
                  text.append(line);
                });
    sink.write("a\n");
    while (sink.lostLines() == 0 && text.length() == 0) {
      Thread.onSpinWait();
    }
    sink.close();
    assertTrue(writer[0].isDaemon());
    assertFalse(writer[0] == Thread.currentThread());
  }

  @Test
  void optionsOutOfRangeAreRejectedByName() {
    LogSink sink = LogSink.direct(line -> {});
    for (int lines : new int[] {0, -1, (1 << 22) + 1}) {
      assertTrue(
          String.valueOf(
                  assertThrows(IllegalArgumentException.class, () -> sink.capacity(lines))
                      .getMessage())
              .startsWith("capacity must be 1 to 4194304 lines, was " + lines));
    }
    assertThrows(IllegalArgumentException.class, () -> sink.enqueueTimeout(Duration.ofMillis(-1)));
    assertThrows(IllegalArgumentException.class, () -> sink.enqueueTimeout(Duration.ofSeconds(11)));
  }
}
