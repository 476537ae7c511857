package dev.percolate.core;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ForwardingExchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Passes the body of an answer through filters, the one added first at the side of the handler.
 *
 * <p>Such an answer is framed in pieces unless it has a length: what it is at last only the last
 * filter knows.
 */
final class FilteredExchange extends ForwardingExchange {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private final Outlet outlet;
  private final List<BodyFilter> filters = new ArrayList<>(1);
  private boolean framed;
  private boolean headSent;

  FilteredExchange(Exchange exchange, Outlet outlet) {
    super(exchange);
    this.outlet = outlet;
  }

  /** Where the filtered body goes. */
  interface Outlet {
    void write(ByteBuffer bytes, OnWritten callback);

    void end(ByteBuffer last);
  }

  /** What a filter does with a piece. */
  private interface Pass {
    ByteBuffer through(BodyFilter filter, ByteBuffer piece) throws IOException;
  }

  /** Notes whether the head of the answer announces a length. */
  void framed(boolean announced) {
    framed = announced;
  }

  void add(BodyFilter filter) {
    filters.add(filter);
  }

  void closeFilters() {
    filters.forEach(filter -> Callbacks.run("closing a body filter", filter::close));
  }

  /** Sends what the filters hold back. */
  void flush(OnWritten callback) {
    ByteBuffer held;
    try {
      held = filtered(NOTHING, BodyFilter::flush);
    } catch (Throwable e) { // filters may throw anything
      callback.written(e);
      return;
    }
    headSent = true;
    outlet.write(held, callback);
  }

  /** Ends an answer without a body, and calls the filters. */
  void endBodyless() {
    ByteBuffer unused = last(NOTHING);
    exchange.end(NOTHING);
  }

  /** Calls the filters at the end of an answer of which nothing has been sent, and none need be. */
  void endUnsent() {
    try {
      filtered(NOTHING, BodyFilter::end);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    ByteBuffer piece = bytes;
    try {
      piece = bytes.hasRemaining() ? filtered(bytes, BodyFilter::write) : bytes;
    } catch (Throwable e) { // filters may throw anything
      callback.written(e);
      return;
    }
    if (piece.hasRemaining() || !bytes.hasRemaining()) {
      headSent = true;
      outlet.write(piece, callback);
    } else {
      callback.written(null);
    }
  }

  @Override
  public void end(ByteBuffer last) {
    ByteBuffer rest = last(last);
    if (framed) {
      outlet.end(rest);
      return;
    }
    if (rest.hasRemaining() || !headSent) {
      outlet.write(rest, failure -> {}); // those who wait for the end learn of it
    }
    outlet.end(NOTHING);
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    new StreamPump(this, Channels.newInputStream(file), length).startAt(offset);
  }

  private ByteBuffer filtered(ByteBuffer piece, Pass pass) throws IOException {
    ByteBuffer passed = piece;
    for (BodyFilter filter : filters) {
      passed = pass.through(filter, passed);
    }
    return passed;
  }

  /** Ends the filters; if one fails, closes the connection, so that the client does not wait. */
  private ByteBuffer last(ByteBuffer piece) {
    boolean made = false;
    try {
      ByteBuffer rest = filtered(piece, BodyFilter::end);
      made = true;
      return rest;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!made) {
        exchange.abort();
      }
    }
  }
}
