package dev.percolate.core;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.Turn;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that an answer has handed over, for middleware that speaks another protocol; see
 * {@code Response.upgrade}.
 *
 * <p>Any thread may use it. Callbacks come once, from any thread, also from within the call itself.
 */
public final class UpgradedConnection {

  private final Exchange exchange;
  private final Consumer<? super Closing> closed;
  private final FinishHooks hooks;
  private volatile @Nullable Supplier<Closing> counts;
  private volatile @Nullable Closing ending;

  UpgradedConnection(Exchange exchange, Consumer<? super Closing> closed, FinishHooks hooks) {
    this.exchange = exchange;
    this.closed = closed;
    this.hooks = hooks;
  }

  /**
   * Reads what the client sends; one reading at a time.
   *
   * @param callback gets a piece, the end, or the failure; if it throws, the connection is closed
   */
  public void read(Exchange.OnRead callback) {
    exchange.read(
        (piece, failure) -> {
          try {
            callback.read(piece, failure);
          } catch (Throwable thrown) {
            failed(thrown);
          }
        });
  }

  /**
   * Sends bytes as they are.
   *
   * @param bytes the bytes, not to be changed before the callback
   * @param callback is called when the connection has taken them; if it throws, the connection is
   *     closed
   */
  public void write(ByteBuffer bytes, Exchange.OnWritten callback) {
    exchange.write(
        bytes,
        failure -> {
          try {
            callback.written(failure);
          } catch (Throwable thrown) {
            failed(thrown);
          }
        });
  }

  /**
   * Closes the connection behind its last bytes; called once at most, and nothing is written
   * afterwards.
   *
   * @param last the bytes, perhaps none
   */
  public void end(ByteBuffer last) {
    exchange.end(last);
  }

  /** Closes the connection at once. */
  public void abort() {
    exchange.abort();
  }

  /** Tells whether the calling thread may wait; an event loop may not. */
  public boolean mayBlock() {
    return exchange.mayBlock();
  }

  /** Tells whether writing waits on the calling thread while the client is slow. */
  public boolean blocksWriters() {
    return exchange.blocksWriters();
  }

  /**
   * Waits on the calling thread, which may wait.
   *
   * @param over tells whether the wait is over; the one who ends it unparks the thread
   */
  public void await(BooleanSupplier over) {
    exchange.await(over);
  }

  /** Returns the turn on which the steps of the request ran. */
  public Turn turn() {
    return exchange.turn();
  }

  /** Returns the room that what is kept of messages takes in memory; asked for once at most. */
  public BodyMemory.Room room() {
    return exchange.room();
  }

  /**
   * Registers what is called when the connection has ended; called once at most.
   *
   * @param hook is called once, by any thread; it must not block. If it throws, that is logged
   */
  public void onEnd(Runnable hook) {
    hooks.onConnectionEnd(hook);
  }

  /**
   * Says where the conversation can be looked at while it goes on, for {@code
   * Response.conversation}.
   *
   * @param counts gives what has come and was sent so far, with the code 0; any thread calls it
   */
  public void counts(Supplier<Closing> counts) {
    this.counts = counts;
  }

  /**
   * Says how the conversation has ended, once, for the hooks of {@code Response.onClosing}.
   *
   * @param closing how
   */
  public void closed(Closing closing) {
    closed.accept(closing);
  }

  /** Logs a failed callback and closes the connection. */
  private void failed(Throwable thrown) {
    Callbacks.failed("a callback of an upgraded connection", thrown);
    exchange.abort();
  }

  /** Notes how the conversation has ended. */
  void ending(Closing how) {
    ending = how;
    counts = null; // it may hold much
  }

  /** Returns how the conversation has ended; null if it goes on, or nobody has said. */
  @Nullable Closing ending() {
    return ending;
  }

  /** Returns how the conversation has ended, else how it stands; null if nobody has said. */
  @Nullable Closing standing() {
    Closing known = ending;
    Supplier<Closing> now = counts;
    return known != null || now == null ? known : now.get();
  }
}
