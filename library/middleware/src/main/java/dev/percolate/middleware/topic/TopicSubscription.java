package dev.percolate.middleware.topic;

import dev.percolate.middleware.store.StoreFailures;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The subscription to the bus that all listeners of a topic in this process share. The first
 * listener opens it. It is closed some seconds after the last listener has left, so that unused
 * topics need no resources of the bus.
 *
 * <p>Listeners that are added while it is being opened wait for that attempt and share its failure.
 * While the bus hangs, all of them fail within the time of one attempt.
 */
public final class TopicSubscription {

  /** The time without listeners before the subscription is closed. */
  static final Duration LINGER = Duration.ofSeconds(5);

  private final Opening opening;
  private final Timer timer;
  private final StoreFailures failures;

  // Guarded by this.
  private int listeners;
  private @Nullable Attempt open;
  private @Nullable Runnable closing;

  /** Opens the subscription. */
  @FunctionalInterface
  interface Opening {

    /**
     * Opens the subscription.
     *
     * @param ended returns true once the subscription is to be closed: messages that still arrive
     *     must be ignored, since the next subscription delivers them
     */
    AutoCloseable open(BooleanSupplier ended) throws IOException;
  }

  /** A subscription that is open, or being opened. */
  private static final class Attempt extends CompletableFuture<AutoCloseable> {

    private volatile boolean ended;
  }

  /** Calls a task once, after a time. */
  @FunctionalInterface
  public interface Timer {

    /** Returns a task that cancels the call. */
    Runnable after(Duration time, Runnable task);
  }

  public TopicSubscription(Opening opening, Timer timer, StoreFailures failures) {
    this.opening = opening;
    this.timer = timer;
    this.failures = failures;
  }

  /**
   * Adds a listener, and returns when the subscription is open.
   *
   * @throws IOException if it cannot be opened; then the listener is not added
   */
  public void enter() throws IOException {
    Attempt attempt;
    boolean first;
    synchronized (this) {
      listeners++;
      cancelClosing();
      first = open == null;
      attempt = open == null ? new Attempt() : open;
      open = attempt;
    }
    try {
      if (first) {
        open(attempt);
      } else {
        await(attempt);
      }
    } catch (Throwable e) {
      leave();
      throw e;
    }
  }

  /** Removes a listener. After the last one, the subscription is closed unless others are added. */
  public synchronized void leave() {
    listeners--;
    if (listeners == 0 && open != null) {
      cancelClosing();
      closing = timer.after(LINGER, this::closeIfUnused);
    }
  }

  /**
   * Closes the subscription, even if it has listeners; the next listener opens it again.
   *
   * @throws IOException if that fails
   */
  public void close() throws IOException {
    Attempt closed;
    synchronized (this) {
      closed = end();
      cancelClosing();
    }
    close(closed);
  }

  /** Returns true while the subscription is open, or being opened. */
  public synchronized boolean isOpen() {
    return open != null;
  }

  /** Marks the subscription as ended before another one can be opened, and returns it. */
  private synchronized @Nullable Attempt end() {
    Attempt ended = open;
    if (ended != null) {
      ended.ended = true;
    }
    open = null;
    return ended;
  }

  private void open(Attempt attempt) throws IOException {
    try {
      attempt.complete(opening.open(() -> attempt.ended));
    } catch (Throwable e) {
      synchronized (this) {
        attempt.ended = true;
        open = open == attempt ? null : open;
      }
      attempt.completeExceptionally(e);
      throw e;
    }
  }

  private static void await(Attempt attempt) throws IOException {
    try {
      Object ignored = attempt.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IOException("cannot subscribe to the topic", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while joining the topic", e);
    }
  }

  private void closeIfUnused() {
    Attempt closed;
    synchronized (this) {
      if (listeners > 0) {
        return;
      }
      closed = end();
      closing = null;
    }
    try {
      close(closed);
    } catch (IOException e) {
      failures.note(e);
    }
  }

  private static void close(@Nullable Attempt closed) throws IOException {
    if (closed == null) {
      return;
    }
    try {
      unsubscribe(closed.get()); // one that is being opened is closed afterwards
    } catch (ExecutionException e) {
      // the subscription was never open
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while leaving the topic", e);
    }
  }

  /** Closes a subscription to the bus. */
  static void unsubscribe(AutoCloseable subscription) throws IOException {
    try {
      subscription.close();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while leaving the topic", e);
    } catch (Exception e) {
      throw new IOException("cannot unsubscribe from the topic", e);
    }
  }

  private void cancelClosing() {
    if (closing != null) {
      closing.run();
      closing = null;
    }
  }
}
