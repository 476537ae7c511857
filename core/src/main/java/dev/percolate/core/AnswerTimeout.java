package dev.percolate.core;

import dev.percolate.engine.DaemonTimer;
import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Watches the time that answers may take to start. */
final class AnswerTimeout {

  private static final ScheduledThreadPoolExecutor TIMER =
      DaemonTimer.create("percolate-answer-timeouts");

  private AnswerTimeout() {}

  /**
   * Starts the clock of a request.
   *
   * @param time the time
   * @param expired is called when it is over
   * @param onFinish takes what stops the clock
   */
  static void watch(Duration time, Consumer<Duration> expired, Consumer<Runnable> onFinish) {
    // Writing may block, and hooks take their time: the alarms of others must not wait for them.
    Runnable alarm = () -> ForkJoinPool.commonPool().execute(() -> expired.accept(time));
    ScheduledFuture<?> set = TIMER.schedule(alarm, time.toNanos(), TimeUnit.NANOSECONDS);
    onFinish.accept(() -> set.cancel(false));
  }
}
