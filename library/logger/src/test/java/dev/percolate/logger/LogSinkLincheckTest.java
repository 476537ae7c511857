package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.Shutdown;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Several threads write lines to one sink while it writes and is closed: no line is lost without
 * being counted, none is written twice, and the lines of each thread keep their order.
 *
 * <p>Lincheck repeats each scenario in many interleavings of its threads, including that of the
 * sink, with the limits of {@code Interleavings} in core.
 */
@EnabledForJreRange(
    min = JRE.JAVA_21,
    disabledReason = "on 17 Lincheck reports each field that it may not look at, for a minute")
// The interleavings do not depend on the JDK.
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
class LogSinkLincheckTest {

  private static final int COUNT = Integer.getInteger("lincheck.interleavings", 25);

  /** The length of a line of which only one fits into the queue. */
  private static final int LONG = 5_000_000;

  private static final int SHORT = 10;

  /** Shows Lincheck that an object is shared; see {@code Interleavings}. */
  @SuppressWarnings("unused") // written only for this purpose
  private static @Nullable Object shared;

  /** A line of a given length. Its number is ten times that of its thread, plus its own. */
  private record Line(int number, int length) implements CharSequence {

    @Override
    public char charAt(int index) {
      return '.';
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Line(number, end - start);
    }
  }

  /** A sink whose target records lines without a lock, since only one thread at a time writes. */
  private static final class Log {

    final LogSink sink =
        new LogSink(
            this, this::write, false, new LossCounter(() -> 1, (what, cause) -> {}, task -> {}));
    private final int[] written = new int[8];
    private int count;

    private void write(List<? extends CharSequence> lines) {
      for (CharSequence line : lines) {
        written[count++] = ((Line) line).number;
      }
    }

    boolean has(int number) {
      return Arrays.stream(written).anyMatch(each -> each == number);
    }

    void take(int number, int length) {
      sink.take(new Line(number, length));
    }

    /** Writes a line that must have been written when the method returns. */
    void takeNow(int number) {
      take(number, SHORT);
      assertTrue(has(number), "not written yet");
    }

    /** Checks the lines that were written and lost. */
    void check(int brought, boolean mayLose) {
      long lost = sink.lostLines();
      assertEquals(brought, count + lost);
      assertTrue(mayLose || lost == 0, "lost");
      int[] last = new int[2];
      for (int i = 0; i < count; i++) {
        assertTrue(written[i] > last[written[i] / 10], "out of order, or twice");
        last[written[i] / 10] = written[i];
      }
      take(8, LONG);
      take(9, LONG);
      assertEquals(lost, sink.lostLines(), "the room of those written is not free again");
    }
  }

  /** Registers the hook of the process before any scenario, since that is done once. */
  @BeforeAll
  static void registerShutdown() {
    AutoCloseable nothing = () -> {};
    Shutdown.add(Shutdown.Stage.LOG_SINKS, nothing);
    Shutdown.remove(Shutdown.Stage.LOG_SINKS, nothing);
  }

  @Test
  void linesOfTwoThreadsAreWritten() {
    check(
        () -> {
          Log log = shared(new Log());
          inParallel(
              () -> {
                log.take(1, SHORT);
                log.take(2, SHORT);
              },
              () -> log.take(11, SHORT));
          log.sink.close();
          log.check(3, false);
        });
  }

  @Test
  void linesAddedWhileTheSinkClosesAreWritten() {
    check(
        () -> {
          Log log = shared(new Log());
          inParallel(
              () -> {
                log.take(1, SHORT);
                log.take(2, SHORT);
              },
              log.sink::close);
          log.check(2, false);
        });
  }

  @Test
  void aClosedSinkWritesLinesBeforeItReturns() {
    check(
        () -> {
          Log log = shared(new Log());
          log.sink.close();
          inParallel(() -> log.takeNow(1), () -> log.takeNow(11));
          log.check(2, false);
        });
  }

  @Test
  void aLineThatDoesNotFitTheQueueIsCounted() {
    check(
        () -> {
          Log log = shared(new Log());
          log.sink.close();
          inParallel(
              () -> {
                log.take(1, LONG);
                log.take(2, LONG);
              },
              () -> log.take(11, LONG));
          log.check(3, true);
        });
  }

  @Test
  void aLineIsWrittenBeforeWriteThroughReturns() {
    check(
        () -> {
          Log log = shared(new Log());
          log.sink.writeThrough(new Line(1, SHORT));
          assertTrue(log.has(1), "not written yet");
          log.sink.close();
          log.check(1, false);
        });
  }

  @Test
  void oneOfTwoLinesFitsAQueueForOne() {
    check(
        () -> {
          QueueBudget room = shared(new QueueBudget(1));
          AtomicInteger taken = new AtomicInteger();
          Runnable part = () -> taken.addAndGet(room.take("line", 0) ? 1 : 0);
          inParallel(part, part);
          assertEquals(1, taken.get());
          room.free(1, 4);
          assertTrue(room.take("line", 0));
        });
  }

  private static void check(Runnable scenario) {
    Lincheck.runConcurrentTest(COUNT, scenario);
  }

  private static <T> T shared(T object) {
    shared = object;
    return object;
  }

  /** Runs both at the same time, each on its own thread. */
  private static void inParallel(Runnable here, Runnable elsewhere) {
    Throwable[] failure = new Throwable[1];
    Thread thread =
        new Thread(
            () -> {
              try {
                elsewhere.run();
              } catch (Throwable e) {
                failure[0] = e;
              }
            });
    thread.start();
    here.run();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (failure[0] != null) {
      throw new AssertionError("the other thread failed", failure[0]);
    }
  }
}
