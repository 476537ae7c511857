package dev.percolate.nio.wire;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Tls;
import dev.percolate.engine.loop.DaemonThreads;
import dev.percolate.engine.tls.TlsEngines;
import java.io.IOException;
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
 * The handshakes of a server: so many at once, and the threads that compute for them, which takes
 * too long for a loop. From any thread.
 */
public final class Handshakes {

  private static final int MOST = 1000;

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
   * @param protocols what is spoken over TLS, the best first
   * @throws IOException if that fails, naming the file and the reason
   */
  public static Handshakes of(Tls tls, List<String> protocols, ListenOptions options)
      throws IOException {
    int most = Math.max(1, Math.min(MOST, options.maxConnections() / 4));
    return new Handshakes(TlsEngines.of(tls, protocols), most);
  }

  /**
   * Reads the certificates again, for handshakes that begin later.
   *
   * @throws IOException if that fails; then nothing has changed
   */
  public void reload() throws IOException {
    engines.reload();
  }

  /** Creates the TLS engine of a connection, see {@link TlsEngines#create}. */
  SSLEngine create(@Nullable String name) throws SSLException {
    return engines.create(name);
  }

  /**
   * Takes a place; tells whether there is one.
   *
   * @param free is called, on any thread, when there is one later: then it has been taken
   */
  synchronized boolean enter(Runnable free) {
    if (open < most) {
      open++;
      return true;
    }
    waiting.add(free);
    return false;
  }

  /** Waits no longer for a place; tells whether that is in time. */
  synchronized boolean giveUp(Runnable free) {
    return waiting.remove(free);
  }

  /** Gives a place back, to the one who has waited for the longest time. */
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
   * Tells whether somebody waits for a place, and nobody for a thread: then it is clients that hold
   * the others up.
   */
  synchronized boolean isCrowded() {
    return !waiting.isEmpty() && threads.getQueue().isEmpty();
  }

  /** Returns how many have a place. */
  synchronized int open() {
    return open;
  }

  /** Computes what a handshake needs that has a place. */
  void compute(Runnable task) {
    threads.execute(task);
  }

  /** Counts a connection that has ended before its handshake. */
  void fail() {
    failed.increment();
  }

  /** Returns how many have. */
  public long failed() {
    return failed.sum();
  }

  /** Lets its threads go. */
  public void close() {
    threads.shutdown();
  }

  /** Creates threads, as many as can compute at once; each handshake has one task at a time. */
  private static ThreadPoolExecutor threads(int most) {
    int processors = Runtime.getRuntime().availableProcessors();
    return DaemonThreads.pool("percolate-tls-", processors, new ArrayBlockingQueue<>(most));
  }
}
