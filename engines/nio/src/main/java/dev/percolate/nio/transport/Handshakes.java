package dev.percolate.nio.transport;

import dev.percolate.engine.Daemon;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Tls;
import dev.percolate.nio.tls.TlsEngines;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The handshakes of a server: limits how many run at the same time, and provides the threads for
 * their computations, which take too long for an event loop. Thread-safe.
 */
public final class Handshakes {

  private static final int MOST = 1000;

  /** The time without a handshake after which a thread ends. */
  private static final Duration IDLE = Duration.ofSeconds(5);

  private final TlsEngines engines;
  private final int most;
  private final ThreadPoolExecutor threads;
  private final LongAdder failed = new LongAdder();
  private final Set<Runnable> waiting = new LinkedHashSet<>();
  private int open;

  private Handshakes(TlsEngines engines, int most) {
    this.engines = engines;
    this.most = most;
    this.threads = threads(most);
  }

  /**
   * Reads the certificates of a server.
   *
   * @param protocols the protocols that the server supports over TLS, best first
   * @throws IOException if a file cannot be used; the message names the file and the reason
   */
  public static Handshakes of(Tls tls, List<String> protocols, ListenOptions options)
      throws IOException {
    int most = Math.max(1, Math.min(MOST, options.maxConnections() / 4));
    return new Handshakes(TlsEngines.of(tls, protocols), most);
  }

  /**
   * Reads the certificates again, for later handshakes.
   *
   * @throws IOException if that fails; the previous certificates remain in use
   */
  public void reload() throws IOException {
    engines.reload();
  }

  /** Creates the TLS engine of a connection, see {@link TlsEngines#create}. */
  SSLEngine create(@Nullable String name) throws SSLException {
    return engines.create(name);
  }

  /**
   * Takes a slot and returns true, or returns false if none is free.
   *
   * @param free called later, on any thread, when a slot has been taken for the caller
   */
  synchronized boolean enter(Runnable free) {
    if (open < most) {
      open++;
      return true;
    }
    waiting.add(free);
    return false;
  }

  /** Stops waiting for a slot. Returns false if the slot has already been taken. */
  synchronized boolean giveUp(Runnable free) {
    return waiting.remove(free);
  }

  /** Releases a slot, which goes to the handshake that has waited longest. */
  void leave() {
    Runnable next = null;
    synchronized (this) {
      Iterator<Runnable> first = waiting.iterator();
      if (first.hasNext()) {
        next = first.next();
        first.remove();
      } else {
        open--;
      }
    }
    if (next != null) {
      next.run();
    }
  }

  /**
   * Returns true if handshakes wait for a slot but none waits for a thread: then slow clients cause
   * the wait.
   */
  synchronized boolean isCrowded() {
    return !waiting.isEmpty() && threads.getQueue().isEmpty();
  }

  /** Returns the number of taken slots. */
  synchronized int open() {
    return open;
  }

  /** Runs a computation of a handshake that has a slot. */
  void compute(Runnable task) {
    threads.execute(task);
  }

  /** Counts a connection that ended before its handshake was complete. */
  void fail() {
    failed.increment();
  }

  /** Returns the number of failed handshakes. */
  public long failed() {
    return failed.sum();
  }

  /** Stops the threads. */
  public void close() {
    threads.shutdown();
  }

  /** Creates one thread per processor. Each handshake has at most one task at a time. */
  private static ThreadPoolExecutor threads(int most) {
    int processors = Runtime.getRuntime().availableProcessors();
    return Daemon.pool("percolate-tls", processors, new ArrayBlockingQueue<>(most), IDLE);
  }
}
