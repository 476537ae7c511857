package dev.percolate.core;

import dev.percolate.engine.DaemonTimer;
import dev.percolate.http.HttpError;
import dev.percolate.http.LogText;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Answers 503 to requests of which no answer has started in time. */
final class AnswerTimeout {

  private static final System.Logger LOG = System.getLogger("dev.percolate");
  private static final ScheduledThreadPoolExecutor TIMER =
      DaemonTimer.create("percolate-answer-timeouts");

  private AnswerTimeout() {}

  static void watch(Request req, Duration time) {
    // Writing may block, and hooks take their time: the alarms of others must not wait for them.
    Runnable alarm = () -> ForkJoinPool.commonPool().execute(() -> expire(req, time));
    ScheduledFuture<?> set = TIMER.schedule(alarm, time.toNanos(), TimeUnit.NANOSECONDS);
    req.response().onFinish(() -> set.cancel(false));
  }

  private static void expire(Request req, Duration time) {
    if (req.response().answer().taken()) {
      return;
    }
    LOG.log(Level.WARNING, "no answer within " + time + ": " + LogText.escape(req.toString()));
    HttpError error = new HttpError(503, "Response timeout");
    // On the turn if that is free. Past error handlers: those, too, may never answer.
    if (!req.turn().executeIfIdle(() -> FinalHandler.end(error, req.response()))) {
      FinalHandler.end(error, req.response());
    }
  }
}
