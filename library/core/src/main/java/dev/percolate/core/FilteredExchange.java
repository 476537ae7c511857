package dev.percolate.core;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ForwardingExchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Sends the body of a response through filters. The filter that was added first gets the bytes of
 * the handler.
 *
 * <p>Without a content length, the body is sent in chunks, because its final length is unknown
 * until the last filter ends.
 */
final class FilteredExchange extends ForwardingExchange {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private final BiConsumer<ByteBuffer, OnWritten> writer;
  private final Consumer<ByteBuffer> end;
  private final List<BodyFilter> filters = new ArrayList<>(1);
  private boolean framed;
  private boolean headSent;

  /**
   * Creates the filters of a response.
   *
   * @param writer receives the filtered chunks
   * @param end receives the last one
   */
  FilteredExchange(
      Exchange exchange, BiConsumer<ByteBuffer, OnWritten> writer, Consumer<ByteBuffer> end) {
    super(exchange);
    this.writer = writer;
    this.end = end;
  }

  /** Passes a chunk through a filter. */
  private interface Pass {
    ByteBuffer through(BodyFilter filter, ByteBuffer piece) throws IOException;
  }

  /** Sets whether the head of the response announces a length. */
  void framed(boolean announced) {
    framed = announced;
  }

  void add(BodyFilter filter) {
    filters.add(filter);
  }

  void closeFilters() {
    filters.forEach(filter -> Callbacks.run("closing a body filter", filter::close));
  }

  /** Sends the bytes that filters hold back. */
  void flush(OnWritten callback) {
    ByteBuffer held;
    try {
      held = filtered(NOTHING, BodyFilter::flush);
    } catch (Throwable e) { // filters may throw anything
      failed(e, callback);
      return;
    }
    headSent = true;
    writer.accept(held, callback);
  }

  /** Ends a response without a body, and calls the filters. */
  void endBodyless() {
    ByteBuffer unused = last(NOTHING);
    exchange.end(NOTHING);
  }

  /** Calls the filters at the end of a response without any bytes, and sends nothing. */
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
      failed(e, callback);
      return;
    }
    if (piece.hasRemaining() || !bytes.hasRemaining()) {
      headSent = true;
      writer.accept(piece, callback);
    } else {
      callback.written(null);
    }
  }

  @Override
  public void end(ByteBuffer last) {
    ByteBuffer rest = last(last);
    if (framed) {
      end.accept(rest);
      return;
    }
    if (rest.hasRemaining() || !headSent) {
      writer.accept(rest, failure -> {}); // a failure is reported when the exchange ends
    }
    end.accept(NOTHING);
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    new StreamPump(this, Channels.newInputStream(file), length).startAt(offset);
  }

  /**
   * Handles the failure of a filter, which writers take for that of the connection. Closes the
   * connection, so that the client does not wait, unless a 500 can still be sent.
   */
  private void failed(Throwable failure, OnWritten callback) {
    if (!(failure instanceof ClientDisconnectedException)) {
      Callbacks.failed("a body filter", failure);
    }
    if (headSent) {
      exchange.abort();
    }
    callback.written(failure);
  }

  private ByteBuffer filtered(ByteBuffer piece, Pass pass) throws IOException {
    ByteBuffer passed = piece;
    for (BodyFilter filter : filters) {
      passed = pass.through(filter, passed);
    }
    return passed;
  }

  /** Ends the filters. If one fails, closes the connection, so that the client does not wait. */
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
