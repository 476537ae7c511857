package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class GatheredLinesTest {

  private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
  private final Consumer<String> consumer = calls::add;

  @Test
  void linesThatGatheredAreWrittenByOneCallAndTheNextOneBeginsAnew() throws InterruptedException {
    LogSink sink = LogSink.of(consumer).gather(Duration.ofMillis(400));
    sink.write("a\n");
    sink.write("b\n");
    assertNull(calls.poll(100, TimeUnit.MILLISECONDS));
    assertEquals("a\nb\n", calls.take());
    sink.write("c\n");
    assertNull(calls.poll(100, TimeUnit.MILLISECONDS));
    assertEquals("c\n", calls.take());
    sink.close();
  }

  @Test
  void closingWritesThemAtOnce() {
    LogSink sink = LogSink.of(consumer).gather(Duration.ofHours(1));
    sink.write("a\n");
    sink.write("b\n");
    sink.close();
    assertEquals("a\nb\n", calls.poll());
  }

  @Test
  void whoWaitsForALineIsNotHeldUp() {
    LogSink sink = LogSink.direct(consumer).gather(Duration.ofHours(1));
    sink.write("a\n");
    sink.writeThrough("b\n");
    assertEquals("a\nb\n", calls.poll());
    sink.close();
  }

  @Test
  void theTimeIsCheckedByName() {
    LogSink sink = LogSink.direct(consumer);
    for (Duration wrong : new Duration[] {Duration.ZERO, Duration.ofHours(2)}) {
      Exception error = assertThrows(IllegalArgumentException.class, () -> sink.gather(wrong));
      assertEquals("gather(" + wrong + "): 1 millisecond to 1 hour", error.getMessage());
    }
  }
}
