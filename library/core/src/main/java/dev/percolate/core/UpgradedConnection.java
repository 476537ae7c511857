package dev.percolate.core;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.SerialExecutor;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An upgraded connection, for middleware that implements another protocol; see {@code
 * Response.upgrade}.
 *
 * <p>Thread-safe. Each callback is called once, on any thread, possibly within the call itself.
 */
public final class UpgradedConnection {

  private final Exchange exchange;
  private final Consumer<? super ConnectionSummary> closed;
  private final FinishHooks hooks;
  private volatile @Nullable Supplier<ConnectionSummary> summary;
  private volatile @Nullable ConnectionSummary ending;

  UpgradedConnection(
      Exchange exchange, Consumer<? super ConnectionSummary> closed, FinishHooks hooks) {
    this.exchange = exchange;
    this.closed = closed;
    this.hooks = hooks;
  }

  /**
   * Reads bytes from the client. Only one read at a time is allowed.
   *
   * @param callback receives a chunk, the end, or the failure; if it throws, the connection is
   *     closed
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
   * Sends bytes unchanged.
   *
   * @param bytes the bytes, which must not change before the callback
   * @param callback called when the connection has accepted the bytes; if it throws, the connection
   *     is closed
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
   * Sends the last bytes and closes the connection. Call it at most once, and write nothing
   * afterwards.
   *
   * @param last the bytes, possibly empty
   */
  public void end(ByteBuffer last) {
    exchange.end(last);
  }

  /** Closes the connection immediately. */
  public void abort() {
    exchange.abort();
  }

  /** Returns true if the calling thread may block; an event loop must not. */
  public boolean mayBlock() {
    return exchange.mayBlock();
  }

  /** Returns true if writing blocks the calling thread while the client is slow. */
  public boolean blocksWriters() {
    return exchange.blocksWriters();
  }

  /**
   * Blocks the calling thread, which must be allowed to block, until a wait is over.
   *
   * @param over returns true when the wait is over; the code that ends the wait must unpark the
   *     thread
   */
  public void await(BooleanSupplier over) {
    exchange.await(over);
  }

  /** Returns the serial executor that ran the handlers of the request. */
  public SerialExecutor executor() {
    return exchange.executor();
  }

  /** Returns the reserved memory for buffered messages. Called at most once. */
  public BodyMemory.Reservation reservation() {
    return exchange.reservation();
  }

  /**
   * Sets the hook for the end of the connection. Call it at most once.
   *
   * @param hook called once, on any thread; must not block. If it throws, the exception is logged
   */
  public void onEnd(Runnable hook) {
    hooks.onConnectionEnd(hook);
  }

  /**
   * Sets the source of {@code Response.connectionSummary} while the connection is open.
   *
   * @param summary returns the messages and bytes so far, with code 0; called on any thread
   */
  public void summary(Supplier<ConnectionSummary> summary) {
    this.summary = summary;
  }

  /**
   * Reports how the connection has ended, once, for the hooks of {@code
   * Response.onConnectionClose}.
   *
   * @param closing the result
   */
  public void closed(ConnectionSummary closing) {
    closed.accept(closing);
  }

  /** Logs a failed callback and closes the connection. */
  private void failed(Throwable thrown) {
    Callbacks.failed("a callback of an upgraded connection", thrown);
    exchange.abort();
  }

  /** Stores how the connection has ended. */
  void ending(ConnectionSummary how) {
    ending = how;
    summary = null; // it may use much memory
  }

  /** Returns how the connection has ended; null if it is open, or its end was not reported. */
  @Nullable ConnectionSummary ending() {
    return ending;
  }

  /** Returns how the connection has ended, else the counts so far; null if neither was reported. */
  @Nullable ConnectionSummary standing() {
    ConnectionSummary known = ending;
    Supplier<ConnectionSummary> now = summary;
    return known != null || now == null ? known : now.get();
  }
}
