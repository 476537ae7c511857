package dev.percolate.auth;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value of a remote server. It is loaded again in the background after 5 minutes. While the
 * server fails, the old value is used for up to an hour. Requests that need the value share one
 * load, and after a failed load the next one waits for a pause. Nothing blocks.
 *
 * @param <T> the type of the value
 */
final class CachedValue<T> {

  static final Duration FRESH = Duration.ofMinutes(5);
  static final Duration USABLE = Duration.ofHours(1);
  static final Duration PAUSE = Duration.ofSeconds(5);

  private final Supplier<CompletionStage<T>> loader;
  private final LongSupplier nanoTime;

  private @Nullable T value;
  private long loadedAt;
  private long triedAt;
  private @Nullable CompletableFuture<T> last;

  CachedValue(Supplier<CompletionStage<T>> loader, LongSupplier nanoTime) {
    this.loader = loader;
    this.nanoTime = nanoTime;
  }

  /** Returns the value; the stage fails if there is none, or only one that is too old. */
  synchronized CompletionStage<T> get() {
    T known = value;
    if (known == null || isPast(loadedAt, USABLE)) {
      return load();
    }
    if (isPast(loadedAt, FRESH)) {
      CompletionStage<T> ignored = load();
    }
    return CompletableFuture.completedFuture(known);
  }

  /**
   * Loads the value again, because the old one lacks a part. Returns the current value if it is
   * newer, or if the last load was a short while ago, so that clients cannot cause many loads.
   *
   * @param old the value that lacks the part
   */
  synchronized CompletionStage<T> newerThan(T old) {
    T known = value;
    boolean tooSoon = last != null && last.isDone() && !isPast(triedAt, PAUSE);
    return known != null && (known != old || tooSoon)
        ? CompletableFuture.completedFuture(known)
        : load();
  }

  private CompletionStage<T> load() {
    CompletableFuture<T> load = last;
    boolean failed = load != null && load.isCompletedExceptionally();
    if (load == null || (load.isDone() && (!failed || isPast(triedAt, PAUSE)))) {
      triedAt = nanoTime.getAsLong();
      // A loader that throws is a failed load.
      load =
          CompletableFuture.completedFuture(loader)
              .thenCompose(Supplier::get)
              .thenApply(this::keep);
      last = load;
    }
    return load;
  }

  private synchronized T keep(T loaded) {
    value = loaded;
    loadedAt = nanoTime.getAsLong();
    return loaded;
  }

  private boolean isPast(long time, Duration duration) {
    return nanoTime.getAsLong() - time >= duration.toNanos();
  }
}
