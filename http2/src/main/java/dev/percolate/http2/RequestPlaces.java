package dev.percolate.http2;

import dev.percolate.nio.protocol.Link;
import dev.percolate.nio.protocol.Requests;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Gives the requests of one connection their places among those of the server: one after the other,
 * in turn with other connections, and never all that are left. Used on its loop only.
 */
final class RequestPlaces {

  /** How long a request may wait while others wait for what comes behind it. */
  private static final long IN_THE_WAY = TimeUnit.SECONDS.toNanos(1);

  /** Which part of the places that are left one connection may have. */
  private static final int SHARE = 4;

  private final Link link;
  private final Requests requests;
  private final Streams streams;
  private final Sender sender;
  private final BooleanSupplier goOn;
  private boolean queued;
  private boolean hasTurn;
  private boolean waits;
  private boolean turnsAway;
  private long since;

  /**
   * Creates the places of a connection.
   *
   * @param goOn has what waits looked at again; tells whether something does
   */
  RequestPlaces(Link link, Streams streams, Sender sender, BooleanSupplier goOn) {
    this.link = link;
    this.requests = link.requests();
    this.streams = streams;
    this.sender = sender;
    this.goOn = goOn;
  }

  /**
   * Tells whether the next request is to wait, with all that comes behind it: for as long as its
   * headers may take, in which others may end; not that long where the client could help them to,
   * by a frame that has to wait too. Then it is turned away.
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
    return isInTheWay ? IN_THE_WAY : requests.options().headTimeout().toNanos();
  }

  /** Tells whether a request is turned away, since it has waited for too long. */
  boolean turnsAway() {
    return turnsAway;
  }

  /** Notes that a request has begun, that none waits any more, or that the connection is over. */
  void leaveTurn() {
    if (hasTurn) {
      hasTurn = false;
      requests.turnOver();
    }
  }

  private boolean mayBegin() {
    if (streams.unfinished() >= Math.max(1, requests.left() / SHARE)) {
      leaveTurn();
      return false; // looked at again when one of them has ended
    }
    if (hasTurn || (!queued && requests.left() > 0)) {
      return true;
    }
    if (!queued) {
      queued = true;
      requests.awaitPlace(() -> link.loop().execute(this::takeTurn, requests::turnOver));
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
