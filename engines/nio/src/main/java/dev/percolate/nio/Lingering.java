package dev.percolate.nio;

import dev.percolate.engine.ListenOptions;
import java.util.concurrent.TimeUnit;

/**
 * Decides how long to read and discard bytes that a client sends after the last response of its
 * connection. Closing a connection with unread bytes resets it, and a client that is still sending
 * its request may lose the response. Used on its loop only.
 *
 * <p>Every connection may send {@value #FEW} bytes, for two seconds. Beyond that it may send for
 * {@link ListenOptions#lingerTimeout}, at {@link ListenOptions#minBodyRate} or faster, if at most
 * {@value ServerState#MOST_LINGERING} connections do so and the server is not being closed.
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

  /** Starts the time limits. */
  Lingering(ServerState server, long now) {
    this.server = server;
    this.begun = now;
    this.heard = now;
  }

  /** Records received bytes. */
  void received(int count, long now) {
    bytes += count;
    heard = now;
  }

  /** Returns true if the connection must be closed now. */
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

  /** Releases what this connection counts for; called when the connection ends. */
  void end() {
    if (isLong) {
      isLong = false;
      server.endLingering();
    }
  }
}
