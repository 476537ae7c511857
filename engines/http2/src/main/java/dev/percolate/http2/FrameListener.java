package dev.percolate.http2;

/**
 * Receives the frames of a client, in order. A {@link FrameError} closes the stream or the
 * connection.
 */
interface FrameListener {

  /**
   * Begins a DATA frame.
   *
   * @param length the number of bytes that count against the flow-control windows: content, padding
   *     and the padding length
   */
  void dataBegins(int stream, int length) throws FrameError;

  /** Receives part of the content of a DATA frame. */
  void data(byte[] bytes, int from, int to) throws FrameError;

  /** Ends a DATA frame. */
  void dataEnds(boolean endsStream) throws FrameError;

  /**
   * Begins the headers or trailers of a request.
   *
   * @param on the stream that this stream depends on; -1 if the frame does not name one
   */
  void headersBegin(int stream, boolean endsStream, int on) throws FrameError;

  /** Begins a CONTINUATION frame. */
  void continuation(int length) throws FrameError;

  /** Receives part of a header block. */
  void fragment(byte[] bytes, int from, int to) throws FrameError;

  /** Ends a header block. */
  void headersEnd() throws FrameError;

  void priority(int stream, int on) throws FrameError;

  void reset(int stream) throws FrameError;

  void setting(int name, int value) throws FrameError;

  /** Ends a SETTINGS frame, which may be an acknowledgement of the server's settings. */
  void settingsEnd(boolean ack) throws FrameError;

  void ping(long data, boolean ack) throws FrameError;

  void goAway() throws FrameError;

  void windowUpdate(int stream, int increment) throws FrameError;

  /** Receives a frame of an unknown type. */
  void unknown() throws FrameError;
}
