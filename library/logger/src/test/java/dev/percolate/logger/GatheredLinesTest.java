package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class GatheredLinesTest {

  private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
  private final Consumer<String> consumer = calls::add;

  @Test
  void gatheredLinesAreWrittenInOneCallAndTheNextLineStartsAgain() throws InterruptedException {
    Duration time = Duration.ofMillis(90);
    LogSink sink = LogSink.of(consumer).batchDelay(time);
    long begin = System.nanoTime();
    sink.write("a\n");
    sink.write("b\n");
    assertEquals("a\nb\n", calls.take());
    assertTrue(System.nanoTime() - begin >= time.toNanos());
    begin = System.nanoTime();
    sink.write("c\n");
    assertEquals("c\n", calls.take());
    assertTrue(System.nanoTime() - begin >= time.toNanos());
    sink.close();
  }

  @Test
  void aHalfFullQueueIsWrittenAtOnce() throws InterruptedException {
    LogSink sink = LogSink.of(consumer).capacity(4).batchDelay(Duration.ofHours(1));
    sink.write("a\n");
    sink.write("b\n");
    assertEquals("a\nb\n", calls.take());
    sink.close();
    assertEquals(0, sink.lostLines());
  }

  @Test
  void closingWritesGatheredLinesAtOnce() {
    LogSink sink = LogSink.of(consumer).batchDelay(Duration.ofHours(1));
    sink.write("a\n");
    sink.write("b\n");
    sink.close();
    assertEquals("a\nb\n", calls.poll());
  }

  @Test
  void aCallerThatWaitsForALineIsNotDelayed() {
    LogSink sink = LogSink.direct(consumer).batchDelay(Duration.ofHours(1));
    sink.write("a\n");
    sink.writeThrough("b\n");
    assertEquals("a\nb\n", calls.poll());
    sink.close();
  }

  @Test
  void theTimeIsCheckedByName() {
    LogSink sink = LogSink.direct(consumer);
    for (Duration wrong : new Duration[] {Duration.ZERO, Duration.ofHours(2)}) {
      Exception error = assertThrows(IllegalArgumentException.class, () -> sink.batchDelay(wrong));
      assertEquals("batchDelay must be 1 millisecond to 1 hour, was " + wrong, error.getMessage());
    }
  }
}
