package dev.percolate.http2;

/** Is called with what a client sends, in order; what it throws ends a stream or the connection. */
interface FrameListener {

  /**
   * Begins a piece of a body.
   *
   * @param length how many bytes count in the windows: content, padding and its length
   */
  void dataBegins(int stream, int length) throws FrameError;

  /** Takes some bytes of it. */
  void data(byte[] bytes, int from, int to) throws FrameError;

  /** Ends it. */
  void dataEnds(boolean endsStream) throws FrameError;

  /**
   * Begins the headers of a request, or its trailers.
   *
   * @param on the stream on which this one says to depend; -1 if it does not say
   */
  void headersBegin(int stream, boolean endsStream, int on) throws FrameError;

  /** Notes that headers go on in another frame. */
  void continuation(int length) throws FrameError;

  /** Takes some bytes of headers. */
  void fragment(byte[] bytes, int from, int to) throws FrameError;

  /** Ends headers. */
  void headersEnd() throws FrameError;

  void priority(int stream, int on) throws FrameError;

  void reset(int stream) throws FrameError;

  void setting(int name, int value) throws FrameError;

  /** Ends settings, or takes note that the client has ours. */
  void settingsEnd(boolean ack) throws FrameError;

  void ping(long data, boolean ack) throws FrameError;

  void goAway() throws FrameError;

  void windowUpdate(int stream, int increment) throws FrameError;

  /** Takes note of a frame of a kind that we do not know. */
  void unknown() throws FrameError;
}
