package dev.percolate.nio.loop;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.RareWarning;
import dev.percolate.engine.SafeLog;
import dev.percolate.http.IpText;
import dev.percolate.http.Trust;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.ZoneId;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Limits open connections, in total and per client. A connection of a trusted proxy counts for its
 * client once a PROXY protocol header has named it.
 */
public final class Admission {

  private static final System.Logger LOG = System.getLogger("dev.percolate.engine");

  private final int most;
  private final int mostOfOne;
  private final AtomicInteger all = new AtomicInteger();
  private final ConcurrentMap<String, Integer> ofOne = new ConcurrentHashMap<>();
  private final @Nullable Trust proxies;
  private final RareWarning warning = new RareWarning();
  private final RareWarning headerWarning = new RareWarning();

  /**
   * Creates the limits of a server.
   *
   * @param options the options with the limits
   */
  public Admission(ListenOptions options) {
    this.most = options.maxConnections();
    this.mostOfOne = options.maxConnectionsPerAddress();
    this.proxies = options.proxyProtocol();
    // Reads a file once. If that fails later, for lack of file descriptors, log lines have no date.
    Objects.requireNonNull(ZoneId.systemDefault().getRules());
  }

  /**
   * Counts a connection. Returns false, and does not count it, if there are too many.
   *
   * @param peer the address of the peer
   */
  public boolean admits(InetAddress peer) {
    if (all.incrementAndGet() > most) {
      all.decrementAndGet();
      warn(warning, "{0} connections are open; closing new connections", most);
      return false;
    }
    boolean admitted = false;
    try {
      admitted = sendsHeader(peer) || identifies(peer.getHostAddress());
      return admitted;
    } finally {
      if (!admitted) {
        all.decrementAndGet();
      }
    }
  }

  /** Returns true if a peer is a proxy whose connections begin with a PROXY header. */
  public boolean sendsHeader(InetAddress peer) {
    return proxies != null && proxies.trusts(peer.getHostAddress(), 0);
  }

  /**
   * Counts a connection of a client; returns false and does not count it if that client has too
   * many.
   *
   * @param client the client's address
   */
  public boolean identifies(String client) {
    if (mostOfOne == Integer.MAX_VALUE) {
      return true;
    }
    String from = IpText.network(client);
    if (ofOne.merge(from, 1, Integer::sum) > mostOfOne) {
      forgets(client);
      warn(warning, "{0} connections of {1} are open; closing new connections", mostOfOne, from);
      return false;
    }
    return true;
  }

  /**
   * Stops counting a connection of a client.
   *
   * @param client the client's address
   */
  public void forgets(String client) {
    if (mostOfOne < Integer.MAX_VALUE) {
      ofOne.computeIfPresent(
          IpText.network(client), (address, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Warns that a proxy's connection is closed because it has no valid header. */
  public void lacksHeader(InetAddress peer) {
    warn(
        headerWarning,
        "{0} sent no valid PROXY protocol header; closed its connection. Enable the header in"
            + " this proxy, or remove its address from proxyProtocol(…).",
        peer.getHostAddress());
  }

  /** Returns the number of open connections. */
  public int open() {
    return all.get();
  }

  /** Warns that a connection could not be accepted, such as for lack of file descriptors. */
  public void failed(Throwable cause) {
    if (cause instanceof IOException) {
      warn(
          warning,
          "connections cannot be accepted; they wait in the kernel: {0}",
          String.valueOf(cause.getMessage()));
    } else if (warning.isDue()) {
      SafeLog.log(
          LOG, Level.WARNING, "connections cannot be accepted; they wait in the kernel", cause);
    }
  }

  /**
   * Stops counting an admitted connection.
   *
   * @param peer the address of the peer
   */
  public void left(InetAddress peer) {
    all.decrementAndGet();
    if (!sendsHeader(peer)) {
      forgets(peer.getHostAddress());
    }
  }

  private static void warn(RareWarning due, String text, Object... values) {
    try {
      if (due.isDue()) {
        LOG.log(Level.WARNING, text, values);
      }
    } catch (RuntimeException | Error e) {
      // a logger may need files too; the acceptor must continue
    }
  }
}
