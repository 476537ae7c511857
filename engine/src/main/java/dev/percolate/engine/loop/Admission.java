package dev.percolate.engine.loop;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.RareWarning;
import dev.percolate.engine.SafeLog;
import dev.percolate.http.IpText;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.ZoneId;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Admits new connections, as many as the options allow: in all, and of one client. */
public final class Admission {

  private static final System.Logger LOG = System.getLogger("dev.percolate.engine");

  private final int most;
  private final int mostOfOne;
  private final AtomicInteger all = new AtomicInteger();
  private final ConcurrentMap<String, Integer> ofOne = new ConcurrentHashMap<>();
  private final RareWarning warning = new RareWarning();

  /**
   * Creates the admission of one server.
   *
   * @param options say how many may be open
   */
  public Admission(ListenOptions options) {
    this.most = options.maxConnections();
    this.mostOfOne = options.maxConnectionsPerAddress();
    // Read from a file once. Were there no files by then, no log line would have a date ever after.
    Objects.requireNonNull(ZoneId.systemDefault().getRules());
  }

  /**
   * Counts a connection, and tells whether it may stay; if not, it does not count.
   *
   * @param peer where it comes from
   */
  public boolean admits(InetAddress peer) {
    if (all.incrementAndGet() > most) {
      all.decrementAndGet();
      warn(most, "connections are open");
      return false;
    }
    if (mostOfOne == Integer.MAX_VALUE) {
      return true;
    }
    try {
      return admitsOne(peer);
    } catch (RuntimeException | Error e) {
      all.decrementAndGet();
      throw e;
    }
  }

  private boolean admitsOne(InetAddress peer) {
    String from = IpText.network(peer.getHostAddress());
    if (ofOne.merge(from, 1, Integer::sum) > mostOfOne) {
      left(peer);
      warn(mostOfOne, "connections of " + from + " are open");
      return false;
    }
    return true;
  }

  /** Returns how many connections are open. */
  public int open() {
    return all.get();
  }

  /** Warns that a connection could not be accepted, such as where files are short. */
  public void failed(Throwable cause) {
    if (!warning.isDue()) {
      return;
    }
    if (cause instanceof IOException) {
      try {
        LOG.log(Level.WARNING, "connections cannot be accepted, and wait: {0}", cause.getMessage());
      } catch (RuntimeException | Error e) {
        // a logger may want files too; the thread that accepts must live on
      }
    } else {
      SafeLog.log(LOG, Level.WARNING, "connections cannot be accepted, and wait", cause);
    }
  }

  /**
   * Counts a connection no longer that was admitted.
   *
   * @param peer where it came from
   */
  public void left(InetAddress peer) {
    all.decrementAndGet();
    if (mostOfOne < Integer.MAX_VALUE) {
      String from = IpText.network(peer.getHostAddress());
      ofOne.computeIfPresent(from, (address, count) -> count == 1 ? null : count - 1);
    }
  }

  private void warn(int limit, String what) {
    try {
      if (warning.isDue()) {
        LOG.log(Level.WARNING, "{0} {1}: new ones are closed", limit, what);
      }
    } catch (RuntimeException | Error e) {
      // as above
    }
  }
}
