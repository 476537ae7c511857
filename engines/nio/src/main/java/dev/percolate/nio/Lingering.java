package dev.percolate.nio;

import dev.percolate.engine.ListenOptions;
import dev.percolate.nio.loop.SlowClientMeter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Decides how long to read and discard bytes that a client sends after the last response of its
 * connection. Closing a connection with unread bytes resets it, and a client that is still sending
 * its request may lose the response. Used on its loop only.
 *
 * <p>Every connection may send {@value #FEW} bytes, for two seconds. Beyond that a connection that
 * has sent any may send for {@link ListenOptions#lingerTimeout}, at {@link
 * ListenOptions#minBodyRate} or faster and with pauses of at most five seconds, if at most {@value
 * ServerState#MOST_LINGERING} connections do so and the server is not being closed.
 */
final class Lingering {

  private static final long FEW = 16 << 20;
  private static final long SHORT = TimeUnit.SECONDS.toNanos(2);
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final ServerState server;
  private final SlowClientMeter meter = new SlowClientMeter();
  private final long begun;
  private long bytes;
  private boolean isLong;

  /** Starts the time limits. */
  Lingering(ServerState server, long now) {
    this.server = server;
    this.begun = now;
    meter.look(now, 0, true);
  }

  /** Records a read. One without bytes has received a part of a TLS record. */
  void received(int count, long now) {
    bytes += Math.max(1, count);
    meter.look(now, bytes, true);
  }

  /** Returns true if the connection must be closed now. */
  boolean isOver(long now) {
    ListenOptions options = server.options();
    boolean isTooSlow = meter.isTooSlow(now, bytes, true, PAUSE, options.minBodyRate());
    long passed = now - begun;
    if (passed <= SHORT && bytes <= FEW) {
      return false;
    }
    isLong = isLong || (bytes > 0 && server.beginLingering());
    return !isLong
        || isTooSlow
        || passed > options.lingerTimeout().toNanos()
        || (passed > SHORT && server.draining());
  }

  /** Releases what this connection counts for; called when the connection ends. */
  void end() {
    if (isLong) {
      isLong = false;
      server.endLingering();
    }
  }
}
