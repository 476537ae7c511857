package dev.percolate.logger;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The open sinks, so that all loggers of a target share one sink. */
final class OpenSinks {

  /** Weak references, so that unused sinks that have no writer thread can be collected. */
  private static final List<WeakReference<LogSink>> OPEN = new ArrayList<>();

  private OpenSinks() {}

  /** Returns the open sink of a target, or a new one. */
  static synchronized LogSink of(Object key, Supplier<LogTarget> target, boolean single) {
    OPEN.removeIf(reference -> reference.refersTo(null));
    for (WeakReference<LogSink> reference : OPEN) {
      LogSink sink = reference.get();
      if (sink != null && sink.isOpenFor(key)) {
        return sink;
      }
    }
    LogSink sink = new LogSink(key, target.get(), single, new LossCounter());
    OPEN.add(new WeakReference<>(sink));
    return sink;
  }

  static synchronized void remove(LogSink closed) {
    OPEN.removeIf(reference -> reference.refersTo(closed));
  }
}
