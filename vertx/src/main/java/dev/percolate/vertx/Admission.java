package dev.percolate.vertx;

import dev.percolate.engine.ListenOptions;
import dev.percolate.http.IpText;
import io.netty.channel.Channel;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.ZoneId;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Admits new connections, as many as the options allow: in all, and of one client. */
final class Admission {

  private static final System.Logger LOG = System.getLogger("dev.percolate.vertx");

  private static final long MINUTE = 60_000_000_000L;

  private final int most;
  private final int mostOfOne;
  private final AtomicInteger all = new AtomicInteger();
  private final ConcurrentMap<String, Integer> ofOne = new ConcurrentHashMap<>();
  private final AtomicLong warned = new AtomicLong(System.nanoTime() - MINUTE);

  Admission(ListenOptions options) {
    this.most = options.maxConnections();
    this.mostOfOne = options.maxConnectionsPerAddress();
    // Read from a file once. Were there no files by then, no log line would have a date ever after.
    Objects.requireNonNull(ZoneId.systemDefault().getRules());
  }

  /** Counts a connection until it is closed; gives false if it is one too many. */
  @SuppressWarnings("FutureReturnValueIgnored") // the listener's future is the one it listens to
  boolean admits(Channel channel) {
    if (all.incrementAndGet() > most) {
      all.decrementAndGet();
      warn(most, "connections are open");
      return false;
    }
    InetSocketAddress peer = (InetSocketAddress) channel.remoteAddress();
    String from = IpText.network(peer.getAddress().getHostAddress());
    if (ofOne.merge(from, 1, Integer::sum) > mostOfOne) {
      left(from);
      warn(mostOfOne, "connections of " + from + " are open");
      return false;
    }
    channel.closeFuture().addListener(closed -> left(from));
    return true;
  }

  /** Warns that a connection could not be accepted, such as for want of files. */
  void failed(IOException cause) {
    try {
      if (mayWarn()) {
        LOG.log(Level.WARNING, "connections cannot be accepted, and wait: {0}", cause.getMessage());
      }
    } catch (RuntimeException | Error e) {
      // a logger, too, may want files; whoever accepts must live on
    }
  }

  private void left(String from) {
    all.decrementAndGet();
    ofOne.computeIfPresent(from, (address, count) -> count == 1 ? null : count - 1);
  }

  private void warn(int limit, String what) {
    if (mayWarn()) {
      LOG.log(Level.WARNING, "{0} {1}: new ones are closed", limit, what);
    }
  }

  /** Tells whether the last warning was a minute ago. */
  private boolean mayWarn() {
    long now = System.nanoTime();
    long last = warned.get();
    return now - last >= MINUTE && warned.compareAndSet(last, now);
  }
}
