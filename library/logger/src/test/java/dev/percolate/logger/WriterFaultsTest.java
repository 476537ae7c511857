package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Virtual machine errors on the thread that writes log lines lose lines, but the thread continues.
 */
@Timeout(60)
class WriterFaultsTest {

  private final List<String> written = Collections.synchronizedList(new ArrayList<>());

  /** A line that causes an OutOfMemoryError after it was taken from the queue. */
  private static final class NoRoom implements CharSequence {

    private boolean taken;

    @Override
    public int length() {
      if (taken) {
        throw new OutOfMemoryError("no room");
      }
      taken = true;
      return 3;
    }

    @Override
    public char charAt(int at) {
      return 'x';
    }

    @Override
    public CharSequence subSequence(int from, int to) {
      return this;
    }

    @Override
    public String toString() {
      return "xxx";
    }
  }

  @DisplayName("DOS-08: a log target that throws errors loses its lines only")
  @Test
  void aTargetThatThrowsErrorsLosesItsLinesOnly() throws Exception {
    CountDownLatch later = new CountDownLatch(1);
    Consumer<String> target =
        line -> {
          if (line.startsWith("bad")) {
            throw new UnsatisfiedLinkError("too many open files");
          }
          written.add(line);
          later.countDown();
        };
    try (LogSink sink = LogSink.of(target)) {
      for (int i = 0; i < 3; i++) {
        sink.write("bad\n");
      }
      sink.write("good\n");
      assertTrue(later.await(30, TimeUnit.SECONDS));
      assertEquals(List.of("good\n"), written);
      assertEquals(3, sink.lostLines());
    }
  }

  @Test
  void anOutOfMemoryErrorOfTheWriterLosesALineButNoCapacity() throws Exception {
    CountDownLatch later = new CountDownLatch(40);
    Consumer<String> target =
        line -> {
          written.add(line);
          later.countDown();
        };
    try (LogSink sink = LogSink.of(target).capacity(4)) {
      for (int i = 1; i <= 20; i++) { // five times the capacity of the queue
        sink.take(new NoRoom());
        while (sink.lostLines() < i) {
          Thread.sleep(1);
        }
      }
      for (int i = 0; i < 40; i++) {
        sink.writeThrough("good\n");
      }
      assertTrue(later.await(30, TimeUnit.SECONDS));
      assertEquals(20, sink.lostLines());
    }
  }
}
