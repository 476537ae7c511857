package dev.percolate.nio;

import dev.percolate.engine.ListenOptions;
import java.util.concurrent.TimeUnit;

/**
 * Reads and discards what a client goes on sending after the last response of its connection. To
 * close a connection with unread bytes resets it, and a client that has not sent all of its request
 * may lose the response. Used on its loop only.
 *
 * <p>Every connection may send {@value #FEW} bytes, for two seconds. Beyond that it goes on for
 * {@link ListenOptions#lingerTimeout}, at the rate of a body at least, if the server has less than
 * {@value ServerState#MOST_LINGERING} such connections and is not being closed.
 */
final class Lingering {

  private static final long FEW = 16 << 20;
  private static final long SHORT = TimeUnit.SECONDS.toNanos(2);
  private static final long GRACE = TimeUnit.SECONDS.toNanos(5);
  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private final ServerState server;
  private final long begun;
  private long heard;
  private long bytes;
  private boolean isLong;

  /** Begins now. */
  Lingering(ServerState server, long now) {
    this.server = server;
    this.begun = now;
    this.heard = now;
  }

  /** Notes that bytes have come. */
  void received(int count, long now) {
    bytes += count;
    heard = now;
  }

  /** Returns true if the connection is to be closed. */
  boolean isOver(long now) {
    if (now - heard > SHORT) {
      return true;
    }
    long passed = now - begun;
    if (passed <= SHORT && bytes <= FEW) {
      return false;
    }
    isLong = isLong || server.beginLingering();
    ListenOptions options = server.options();
    return !isLong
        || passed > options.lingerTimeout().toNanos()
        || (passed > SHORT && server.draining())
        || (passed > GRACE && bytes < options.minBodyRate() * (passed / SECOND));
  }

  /** Ends, with the connection. */
  void end() {
    if (isLong) {
      isLong = false;
      server.endLingering();
    }
  }
}
