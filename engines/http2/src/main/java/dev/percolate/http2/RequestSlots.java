package dev.percolate.http2;

import dev.percolate.nio.protocol.ProtocolConnection;
import dev.percolate.nio.protocol.ServerLimits;
import dev.percolate.nio.protocol.SlotQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Admits the requests of one connection within the server's limit for concurrent requests, in turn
 * with other connections. A connection never gets all of the remaining capacity. Used on its event
 * loop only.
 */
final class RequestSlots {

  /** How long a request may wait if it blocks frames that other streams need, in nanoseconds. */
  private static final long IN_THE_WAY = TimeUnit.SECONDS.toNanos(1);

  /** A connection may have the remaining capacity divided by this number. */
  private static final int SHARE = 4;

  private final ProtocolConnection connection;
  private final ServerLimits serverLimits;
  private final Streams streams;
  private final Sender sender;
  private final BooleanSupplier goOn;
  private boolean queued;
  private boolean hasTurn;
  private boolean waits;
  private boolean turnsAway;
  private long since;

  /**
   * Creates the admission queue of a connection.
   *
   * @param goOn reads on if input waits, and returns whether it does
   */
  RequestSlots(
      ProtocolConnection connection, Streams streams, Sender sender, BooleanSupplier goOn) {
    this.connection = connection;
    this.serverLimits = connection.limits();
    this.streams = streams;
    this.sender = sender;
    this.goOn = goOn;
  }

  /**
   * Returns true if the next request must wait, with all frames after it. It waits for at most
   * {@code headerTimeout}, or one second if other streams need frames that are stuck after it. Then
   * it is rejected.
   */
  boolean mustWait(long now) {
    boolean mayBegin = mayBegin();
    if (!mayBegin && !waits) {
      since = now;
    }
    waits = !mayBegin;
    turnsAway = waits && now - since >= most();
    return waits && !turnsAway;
  }

  private long most() {
    boolean isInTheWay = sender.isShut() || streams.waitForClient();
    return isInTheWay ? IN_THE_WAY : serverLimits.options().headerTimeout().toNanos();
  }

  /** Returns true if the request is rejected because it has waited too long. */
  boolean turnsAway() {
    return turnsAway;
  }

  /** Gives up the turn: a request has begun, none waits, or the connection is closed. */
  void leaveTurn() {
    if (hasTurn) {
      hasTurn = false;
      serverLimits.slots().over();
    }
  }

  private boolean mayBegin() {
    if (streams.unfinished() >= Math.max(1, serverLimits.slots().left() / SHARE)) {
      leaveTurn();
      return false; // checked again when a request of this connection has ended
    }
    if (hasTurn || (!queued && serverLimits.slots().left() > 0)) {
      return true;
    }
    if (!queued) {
      queued = true;
      SlotQueue slots = serverLimits.slots();
      slots.await(() -> connection.loop().execute(this::takeTurn, slots::over));
    }
    return false;
  }

  private void takeTurn() {
    queued = false;
    hasTurn = true;
    if (!goOn.getAsBoolean()) {
      leaveTurn();
    }
  }
}
