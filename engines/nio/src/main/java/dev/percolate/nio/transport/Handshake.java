package dev.percolate.nio.transport;

import dev.percolate.engine.RestartingTask;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The state of a connection's TLS handshake. Used on its event loop only.
 *
 * <pre>
 *   HELLO --first record complete--> AGREES --done--> OPEN
 *     |  ^                            |  ^
 *     v  | a slot is free             v  | computed
 *    WAITS                         COMPUTES
 * </pre>
 *
 * <p>The number of concurrent handshakes of a server is limited. A handshake needs a slot once its
 * ClientHello has arrived, and is not read until it has one. While handshakes wait for a slot,
 * clients of the others get less time to respond. Other threads run the computations. The time
 * limit of a client counts only while the server waits for it, so that a busy server does not
 * reject clients.
 */
final class Handshake {

  /**
   * How long a client may take to respond while other handshakes wait for a slot, in nanoseconds.
   */
  private static final long HURRY = TimeUnit.SECONDS.toNanos(3);

  /**
   * The maximum size of a handshake. Certificate chains of clients may have several thousand bytes.
   */
  private static final int MOST_BYTES = 128 << 10;

  private final Handshakes all;
  private final TransportLoop loop;
  private final Runnable wake;
  private final Runnable placeIsFree;
  private Phase phase = Phase.HELLO;
  private boolean hasPlace;
  private int bytes;
  private long clientsTurn;
  private long waitsSince;

  /** How long the handshake has waited for the server, in nanoseconds. */
  private long waited;

  private volatile boolean closed;

  private enum Phase {
    HELLO,
    WAITS,
    AGREES,
    COMPUTES,
    OPEN
  }

  /**
   * Creates the handshake of a connection.
   *
   * @param wake called on the loop when a waiting handshake can continue
   */
  Handshake(Handshakes all, TransportLoop loop, Runnable wake) {
    this.all = all;
    this.loop = loop;
    this.wake = wake;
    this.placeIsFree = () -> loop.execute(this::place, all::leave);
  }

  /**
   * Begins if fewer handshakes than the limit are running; returns null if it has to wait.
   *
   * @param hello the first TLS record of the client
   */
  @Nullable SSLEngine begin(ByteBuffer hello) throws SSLException {
    if (!hasPlace) {
      hasPlace = all.enter(placeIsFree);
      if (!hasPlace) {
        waits(Phase.WAITS);
        return null;
      }
    }
    SSLEngine created = all.create(HelloName.of(hello));
    created.beginHandshake();
    phase = Phase.AGREES;
    clientsTurn = System.nanoTime();
    return created;
  }

  /** Returns true if the handshake is complete. */
  boolean isOver() {
    return phase == Phase.OPEN;
  }

  /** Returns true if the handshake waits for the server, not for the client. */
  boolean isWaiting() {
    return phase == Phase.WAITS || phase == Phase.COMPUTES;
  }

  /**
   * Returns how long the handshake has waited for the server, in nanoseconds; 0 once it is
   * complete.
   */
  long waited(long now) {
    return isOver() ? 0 : waited + (isWaiting() ? now - waitsSince : 0);
  }

  private void waits(Phase in) {
    phase = in;
    waitsSince = System.nanoTime();
  }

  /** Returns true if the client is too slow while other handshakes wait for a slot. */
  boolean isOverdue(long now) {
    return phase == Phase.AGREES && now - clientsTurn > HURRY && all.isCrowded();
  }

  /** Limits the bytes that a client may send during the handshake. */
  void count(int more) throws SSLException {
    bytes += more;
    if (bytes > MOST_BYTES) {
      throw new SSLException("handshake must be at most 128 KiB");
    }
  }

  /** Completes the handshake. */
  void over() {
    phase = Phase.OPEN;
    leavePlace();
  }

  /** Starts expensive computations on other threads. */
  void compute(SSLEngine tls) throws SSLException {
    if (phase == Phase.OPEN) {
      throw new SSLException("renegotiation is not allowed");
    }
    Runnable resume = // retried until it succeeds: otherwise the slot would stay taken
        new RestartingTask("handshake", () -> loop.execute(this::computed, all::leave));
    all.compute(
        () -> {
          try {
            computeNow(tls);
          } finally {
            resume.run();
          }
        });
    waits(Phase.COMPUTES);
  }

  private void computeNow(SSLEngine tls) {
    for (Runnable task = tls.getDelegatedTask();
        task != null && !closed;
        task = tls.getDelegatedTask()) {
      task.run();
    }
  }

  private void computed() {
    if (closed) {
      leavePlace();
    } else {
      goOn(Phase.AGREES);
    }
  }

  /** Called when the handshake gets a slot. */
  private void place() {
    if (closed) {
      all.leave();
    } else {
      hasPlace = true;
      goOn(Phase.HELLO);
    }
  }

  private void goOn(Phase with) {
    phase = with;
    clientsTurn = System.nanoTime();
    waited += clientsTurn - waitsSince;
    wake.run();
  }

  private void leavePlace() {
    if (hasPlace) {
      hasPlace = false;
      all.leave();
    }
  }

  /** Ends the handshake when the connection is closed. */
  void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (phase != Phase.OPEN) {
      all.fail();
    }
    if (phase == Phase.WAITS) {
      boolean ignored = all.giveUp(placeIsFree); // if this is too late, place() is called
    } else if (phase != Phase.COMPUTES) {
      leavePlace(); // otherwise the slot is released after the computation
    }
  }
}
