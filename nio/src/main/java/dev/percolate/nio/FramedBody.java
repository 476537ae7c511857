package dev.percolate.nio;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.loop.BodyBuffer;
import dev.percolate.engine.loop.Progress;
import dev.percolate.http.HttpError;
import dev.percolate.nio.protocol.Input;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The body of a request, as its head frames it. */
final class FramedBody implements Input {

  private final Sender sender;
  private final long length;
  private final BodyBuffer buffer;
  private final BodyDecoder decoder;
  private volatile boolean expectsContinue;

  /** Who sends it, and stops and goes on as asked. */
  interface Sender extends BodyBuffer.Flow {

    /** Asks for the body, which has been announced only. */
    void writeContinue();

    /** Takes no sense from now on of what comes. */
    void skipsInput();
  }

  /**
   * Creates the body of a request.
   *
   * @param length as {@link Framing} tells it
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
   * Lets it in.
   *
   * @param expects whether the client waits to be asked for it
   */
  void begin(boolean expects) {
    expectsContinue = expects && length != 0;
    buffer.begin();
    if (length == 0) {
      buffer.end(null);
    }
  }

  /** Tells whether the head announces that there is nothing in it. */
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
