package dev.percolate.http2;

/** Says that a client has broken the rules, by which its stream or its connection ends. */
final class FrameError extends Exception {

  private static final long serialVersionUID = 1;

  private final int stream;
  private final int code;

  private FrameError(int stream, int code, String message) {
    super(message, null, false, false); // clients cause it at will
    this.stream = stream;
    this.code = code;
  }

  /** Creates an error that ends a stream. */
  static FrameError ofStream(int stream, int code, String message) {
    return new FrameError(stream, code, message);
  }

  /** Creates an error that ends the connection. */
  static FrameError ofConnection(int code, String message) {
    return new FrameError(0, code, message);
  }

  /** Returns the stream; 0 if the connection ends. */
  int stream() {
    return stream;
  }

  /** Returns why, by one of {@link ErrorCode}. */
  int code() {
    return code;
  }
}
