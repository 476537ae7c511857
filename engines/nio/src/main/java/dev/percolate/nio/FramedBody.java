package dev.percolate.nio;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.HttpError;
import dev.percolate.nio.loop.BodyBuffer;
import dev.percolate.nio.loop.Progress;
import org.jspecify.annotations.Nullable;

/** A request body in HTTP/1.1. */
final class FramedBody extends BodyBuffer {

  private final Sender sender;
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
   * @param length the result of {@link HeadParser#bodyLength}
   */
  FramedBody(
      Sender sender,
      long length,
      BodyMemory.Reservation reservation,
      @Nullable Progress progress,
      ListenOptions options) {
    super(sender, length, reservation, progress);
    this.sender = sender;
    this.decoder = new BodyDecoder(length, options.maxHeaderBytes(), options.maxHeaders());
  }

  /**
   * Begins to receive the body.
   *
   * @param expects whether the client waits for a 100 response
   */
  void begin(boolean expects) {
    expectsContinue = expects && !isEmpty();
    begin();
    if (isEmpty()) {
      end(null);
    }
  }

  @Override
  public void read(Exchange.OnRead reader) {
    if (expectsContinue) {
      expectsContinue = false;
      sender.writeContinue();
    }
    super.read(reader);
  }

  @Override
  public int take(byte[] data, int from, int to) {
    int next = decoder.decode(data, from, to);
    if (decoder.decoded() > 0) {
      add(data, from, from + decoder.decoded());
    }
    if (decoder.isOver()) {
      end(null);
    } else if (decoder.isMalformed()) {
      sender.skipsInput();
      end(new HttpError(400, "malformed body", "request.malformed", null));
      return to;
    }
    return next;
  }

  @Override
  public boolean isOverdue(long now, ListenOptions options) {
    return !expectsContinue && super.isOverdue(now, options);
  }

  @Override
  public boolean leavesMuch() {
    return hasMore() && (expectsContinue || super.leavesMuch());
  }
}
