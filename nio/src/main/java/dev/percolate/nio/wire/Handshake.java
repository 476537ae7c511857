package dev.percolate.nio.wire;

import dev.percolate.engine.RestartingTask;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * How far a connection is with its handshake; used on its loop only.
 *
 * <pre>
 *   HELLO --first record whole--> AGREES --agreed--> OPEN
 *     |  ^                         |  ^
 *     v  | a place is free         v  | computed
 *    WAITS                      COMPUTES
 * </pre>
 *
 * <p>A handshake has a place among those of its server once its hello has come, and others wait
 * unread until one is free; meanwhile a client that does not do its part gets little time. What a
 * handshake has to compute is done by other threads. The time of a client goes on while it is its
 * turn only: a server to which many come at once, or that has just started, makes them wait.
 */
final class Handshake {

  /** How long a client may take for its part while others wait for a place. */
  private static final long HURRY = TimeUnit.SECONDS.toNanos(3);

  /** The most bytes of a handshake: some certificates of a client have a few thousand. */
  private static final int MOST_BYTES = 128 << 10;

  private final Handshakes all;
  private final WireLoop loop;
  private final Runnable wake;
  private final Runnable placeIsFree;
  private Phase phase = Phase.HELLO;
  private boolean hasPlace;
  private int bytes;
  private long clientsTurn;
  private long waitsSince;

  /** How long it has waited for something else than the client. */
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
   * @param wake is called on the loop when it can go on that had to wait
   */
  Handshake(Handshakes all, WireLoop loop, Runnable wake) {
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

  /** Tells whether client and server have agreed. */
  boolean isOver() {
    return phase == Phase.OPEN;
  }

  /** Tells whether it waits for something else than the client. */
  boolean isWaiting() {
    return phase == Phase.WAITS || phase == Phase.COMPUTES;
  }

  /**
   * Returns how much of its time it has waited for something else than the client; nothing once it
   * is over.
   */
  long waited(long now) {
    return isOver() ? 0 : waited + (isWaiting() ? now - waitsSince : 0);
  }

  private void waits(Phase in) {
    phase = in;
    waitsSince = System.nanoTime();
  }

  /** Tells whether the client takes longer than it may, while others wait. */
  boolean isOverdue(long now) {
    return phase == Phase.AGREES && now - clientsTurn > HURRY && all.isCrowded();
  }

  /** Bounds what a client may send before it has agreed. */
  void count(int more) throws SSLException {
    bytes += more;
    if (bytes > MOST_BYTES) {
      throw new SSLException("too long a handshake");
    }
  }

  /** Notes that client and server have agreed. */
  void over() {
    phase = Phase.OPEN;
    leavePlace();
  }

  /** Has other threads do what takes too long for a loop. */
  void compute(SSLEngine tls) throws SSLException {
    if (phase == Phase.OPEN) {
      throw new SSLException("renegotiation");
    }
    Runnable resume = // until it succeeds: otherwise the place would stay taken
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

  /** Has a place from now on. */
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

  /** Ends, with the connection. */
  void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (phase != Phase.OPEN) {
      all.fail();
    }
    if (phase == Phase.WAITS) {
      boolean ignored = all.giveUp(placeIsFree); // if it is too late, place() is called
    } else if (phase != Phase.COMPUTES) {
      leavePlace(); // else it is kept until that is over
    }
  }
}
