package dev.percolate.http2;

import dev.percolate.engine.ListenOptions;
import dev.percolate.nio.protocol.ProtocolConnection;
import org.jspecify.annotations.Nullable;

/**
 * Acts on the frames of a client, in order. A {@link FrameError} closes the stream or the
 * connection. Used on the event loop of its connection only.
 */
final class FrameHandler {

  private final ProtocolConnection connection;
  private final ListenOptions options;
  private final FrameWriter writer;
  private final FrameBudget budget;
  private final Streams streams;
  private final Sender sender;
  private final RequestSlots places;
  private final HeaderBlock block;
  private final PeerSettings settings = new PeerSettings();

  /** The last stream that the final GOAWAY allows; later streams are ignored. */
  private int limit = Integer.MAX_VALUE;

  private @Nullable Http2Exchange into;
  private int length;
  private int content;
  private int stream;
  private int dependsOn;
  private boolean endsStream;
  private int owedAcks;

  FrameHandler(
      ProtocolConnection connection,
      FrameWriter writer,
      FrameBudget budget,
      Streams streams,
      Sender sender,
      RequestSlots places) {
    this.connection = connection;
    this.options = connection.limits().options();
    this.writer = writer;
    this.budget = budget;
    this.streams = streams;
    this.sender = sender;
    this.places = places;
    this.block = new HeaderBlock(mostBlock(options));
  }

  /**
   * Returns the maximum size of a header block, in bytes. It is larger than the limits for
   * requests, so that a request that exceeds them gets a response instead of closing the
   * connection.
   */
  private static int mostBlock(ListenOptions options) {
    long most = 2L * options.maxHeaderBytes() + 2L * options.maxTargetLength();
    return (int) Math.max(16 << 10, Math.min(Integer.MAX_VALUE, most));
  }

  /** Stops new streams and returns the last one that has begun. */
  int limit() {
    limit = streams.last();
    return limit;
  }

  /**
   * Begins a DATA frame.
   *
   * @param bytes the number of bytes that count against the flow-control windows: content, padding
   *     and the padding length
   */
  void dataBegins(int id, int bytes) throws FrameError {
    into = null;
    length = bytes;
    content = 0;
    streams.takeWindow(bytes);
    Http2Exchange exchange = streams.get(id);
    if (exchange == null || exchange.isInputEnded()) {
      streams.giveBack(bytes);
      if (exchange == null) {
        checkBegun(id);
        if (isLeft(id)) {
          budget.spend(FrameBudget.FRAME); // a client sends few more after it learns of the reset
          return;
        }
      }
      throw fault(id, ErrorCode.STREAM_CLOSED, "DATA on a closed stream");
    }
    if (!exchange.takeWindow(bytes)) {
      throw fault(id, ErrorCode.FLOW_CONTROL_ERROR, "DATA exceeds the stream's window");
    }
    into = exchange;
  }

  /** Receives part of the content of a DATA frame. */
  void data(byte[] bytes, int from, int to) throws FrameError {
    content += to - from;
    Http2Exchange exchange = into;
    if (exchange != null) {
      exchange.take(bytes, from, to);
    }
  }

  /** Ends a DATA frame. */
  void dataEnds(boolean ends) throws FrameError {
    Http2Exchange exchange = into;
    into = null;
    if (content == 0 && !ends) {
      budget.spend(FrameBudget.FRAME);
    }
    if (exchange != null) {
      streams.giveBack(exchange, length - content); // the padding
      if (ends) {
        exchange.endInput();
        streams.ended(exchange);
      }
    }
  }

  /**
   * Begins the headers or trailers of a request.
   *
   * @param on the stream that this stream depends on; -1 if the frame does not name one
   */
  void headersBegin(int id, boolean ends, int on) throws FrameError {
    if (streams.get(id) == null && !isLeft(id)) {
      if (streams.recent().hasEnded(id)) {
        throw FrameError.ofConnection(ErrorCode.STREAM_CLOSED, "HEADERS on a closed stream");
      } else if (id <= streams.last() || id % 2 == 0) {
        throw FrameError.protocol("invalid new stream " + id + ", the last was " + streams.last());
      }
    }
    stream = id;
    endsStream = ends;
    dependsOn = on;
    block.begin();
  }

  /** Begins a CONTINUATION frame. */
  void continuation() throws FrameError {
    block.goesOn();
  }

  /** Receives part of a header block. */
  void fragment(byte[] bytes, int from, int to) throws FrameError {
    block.add(bytes, from, to);
  }

  /** Ends a header block. */
  void headersEnd() throws FrameError {
    Http2Exchange known = streams.get(stream);
    RequestFields fields = new RequestFields(options, known != null);
    block.decode(fields);
    fields.end(endsStream);
    if (known != null) {
      trailers(known, fields);
    } else if (!isLeft(stream)) {
      streams.begin(stream);
      request(fields);
    } else {
      budget.spend(FrameBudget.FRAME);
    }
  }

  private void trailers(Http2Exchange exchange, RequestFields fields) throws FrameError {
    checkDependency(stream, dependsOn);
    if (exchange.isInputEnded()) {
      throw fault(stream, ErrorCode.STREAM_CLOSED, "trailers after the end of the stream");
    } else if (!endsStream || fields.malformed() != null) {
      throw fault(stream, ErrorCode.PROTOCOL_ERROR, "invalid trailers");
    }
    exchange.endInput();
    streams.ended(exchange);
  }

  private void request(RequestFields fields) throws FrameError {
    checkDependency(stream, dependsOn);
    if (streams.isFull()) {
      budget.spend(FrameBudget.RESET);
      streams.reset(stream, ErrorCode.REFUSED_STREAM);
      return;
    }
    RequestLine request = fields.request();
    int rejection = fields.rejection(request);
    if (rejection == 0 && places.turnsAway()) {
      rejection = 503;
    }
    Http2Exchange.Kind kind =
        new Http2Exchange.Kind(
            fields.asksForProtocol(),
            !endsStream || fields.length() >= 0,
            fields.length(),
            endsStream);
    int window = settings.window();
    Http2Exchange exchange =
        new Http2Exchange(connection, streams, sender, stream, request, window, kind);
    streams.add(exchange);
    if (rejection == 0) {
      exchange.begin();
      places.leaveTurn();
      return;
    }
    if (fields.malformed() != null) {
      exchange.rejectAndReset(rejection);
      budget.spend(FrameBudget.FAULT);
    } else {
      exchange.reject(rejection);
      boolean tooLong = rejection == 414 || rejection == 431;
      int cost = tooLong ? FrameBudget.FAULT : FrameBudget.FRAME;
      budget.spend(FrameBudget.RESET + cost); // sending the response earned budget back
    }
  }

  void priority(int id, int on) throws FrameError {
    budget.spend(FrameBudget.FRAME);
    checkDependency(id, on);
  }

  void reset(int id) throws FrameError {
    checkBegun(id);
    Http2Exchange exchange = streams.get(id);
    if (exchange == null) {
      budget.spend(FrameBudget.FRAME);
    } else {
      budget.spend(FrameBudget.RESET);
      streams.cutOff(exchange, false);
    }
  }

  void setting(int name, int value) throws FrameError {
    budget.spend(FrameBudget.FRAME);
    PeerSettings.check(name, value);
    switch (name) {
      case PeerSettings.HEADER_TABLE_SIZE -> sender.table(value < 0 ? Integer.MAX_VALUE : value);
      case PeerSettings.INITIAL_WINDOW_SIZE -> {
        long by = settings.changeWindow(value);
        for (Http2Exchange one : streams.all()) {
          try {
            sender.open(one.stream(), by);
          } catch (FrameError e) {
            throw FrameError.ofConnection(e.code(), "a stream's window must be at most 2^31-1");
          }
        }
      }
      default -> {}
    }
  }

  /** Ends a SETTINGS frame, which may be an acknowledgement of the server's settings. */
  void settingsEnd(boolean ack) throws FrameError {
    budget.spend(FrameBudget.FRAME);
    if (!ack) {
      owe();
      writer.settingsAck();
    }
  }

  void ping(long data, boolean ack) throws FrameError {
    budget.spend(FrameBudget.FRAME);
    if (!ack) {
      owe();
      writer.pingAck(data);
    }
  }

  /** Limits the acknowledgements that wait for a client that does not read. */
  private void owe() throws FrameError {
    owedAcks = connection.pending() == 0 ? 0 : owedAcks + 1;
    if (owedAcks > 1_000) {
      throw FrameError.ofConnection(ErrorCode.ENHANCE_YOUR_CALM, "too many unread ACK frames");
    }
  }

  void goAway() throws FrameError {
    budget.spend(FrameBudget.FRAME); // the client itself stops opening streams
  }

  void windowUpdate(int id, int increment) throws FrameError {
    budget.spend(FrameBudget.FRAME);
    if (id != 0) {
      checkBegun(id);
    }
    if (increment == 0) {
      throw id == 0
          ? FrameError.protocol("WINDOW_UPDATE of 0 bytes")
          : fault(id, ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE of 0 bytes");
    }
    if (id == 0) {
      sender.open(increment);
      return;
    }
    Http2Exchange exchange = streams.get(id);
    if (exchange != null) {
      sender.open(exchange.stream(), increment);
    }
  }

  /** Receives a frame of an unknown type. */
  void unknown() throws FrameError {
    budget.spend(FrameBudget.FRAME);
  }

  private void checkDependency(int id, int on) throws FrameError {
    if (id == on) {
      throw fault(id, ErrorCode.PROTOCOL_ERROR, "the stream depends on itself");
    }
  }

  /** Returns true if the server ignores the stream and the client may not know that yet. */
  private boolean isLeft(int id) {
    return id > limit || streams.recent().wasReset(id);
  }

  private void checkBegun(int id) throws FrameError {
    if ((id > streams.last() || id % 2 == 0) && id <= limit) {
      throw FrameError.protocol("frame on stream " + id + ", which is idle");
    }
  }

  private static FrameError fault(int id, int code, String message) {
    return FrameError.ofStream(id, code, message);
  }
}
