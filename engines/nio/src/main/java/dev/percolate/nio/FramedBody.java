package dev.percolate.nio;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.HttpError;
import dev.percolate.nio.loop.BodyBuffer;
import dev.percolate.nio.loop.Input;
import dev.percolate.nio.loop.Progress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A request body in HTTP/1.1. */
final class FramedBody implements Input {

  private final Sender sender;
  private final long length;
  private final BodyBuffer buffer;
  private final BodyDecoder decoder;
  private volatile boolean expectsContinue;

  /** Sends the body, and pauses and resumes on request. */
  interface Sender extends BodyBuffer.Flow {

    /** Tells the client to send the body, by a 100 response. */
    void writeContinue();

    /** Discards all later input. */
    void skipsInput();
  }

  /**
   * Creates the body of a request.
   *
   * @param length the result of {@link Framing#of}
   */
  FramedBody(
      Sender sender,
      long length,
      BodyMemory.Room room,
      @Nullable Progress progress,
      ListenOptions options) {
    this.sender = sender;
    this.length = length;
    this.buffer = new BodyBuffer(sender, room, progress);
    this.decoder = new BodyDecoder(length, options.maxHeaderBytes(), options.maxHeaders());
  }

  /**
   * Begins to receive the body.
   *
   * @param expects whether the client waits for a 100 response
   */
  void begin(boolean expects) {
    expectsContinue = expects && length != 0;
    buffer.begin();
    if (length == 0) {
      buffer.end(null);
    }
  }

  /** Returns true if the head declares an empty body. */
  boolean isEmpty() {
    return length == 0;
  }

  @Override
  public void read(Exchange.OnRead reader) {
    if (expectsContinue) {
      expectsContinue = false;
      sender.writeContinue();
    }
    buffer.read(reader);
  }

  @Override
  public boolean hasMore() {
    return !buffer.ended();
  }

  @Override
  public int mostRead() {
    return buffer.mostRead();
  }

  @Override
  public int take(byte[] data, int from, int to) {
    int next = decoder.decode(data, from, to);
    if (decoder.decoded() > 0) {
      buffer.offer(ByteBuffer.wrap(Arrays.copyOfRange(data, from, from + decoder.decoded())));
    }
    if (decoder.isOver()) {
      buffer.end(null);
    } else if (decoder.isMalformed()) {
      sender.skipsInput();
      buffer.end(new HttpError(400, "malformed body", "request.malformed", null));
      return to;
    }
    return next;
  }

  @Override
  public void end(@Nullable Throwable cause) {
    buffer.end(cause);
  }

  @Override
  public boolean endsWell() {
    return buffer.ended();
  }

  @Override
  public boolean isOverdue(long now, ListenOptions options) {
    return !expectsContinue && buffer.isOverdue(now, options);
  }

  @Override
  public boolean leavesMuch() {
    return !buffer.ended() && (expectsContinue || buffer.leaves(length));
  }

  @Override
  public void discard(Runnable over) {
    buffer.discard(over);
  }
}
