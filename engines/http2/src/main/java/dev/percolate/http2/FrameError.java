package dev.percolate.http2;

/** A protocol error of a client that closes its stream or its connection. */
final class FrameError extends Exception {

  private static final long serialVersionUID = 1;

  private final int stream;
  private final int code;

  private FrameError(int stream, int code, String message) {
    super(message, null, false, false); // no stack trace: clients can cause it at will
    this.stream = stream;
    this.code = code;
  }

  /** Creates an error that closes a stream. */
  static FrameError ofStream(int stream, int code, String message) {
    return new FrameError(stream, code, message);
  }

  /** Creates an error that closes the connection. */
  static FrameError ofConnection(int code, String message) {
    return new FrameError(0, code, message);
  }

  /** Creates an error that closes the connection because the client violates the protocol. */
  static FrameError protocol(String message) {
    return ofConnection(ErrorCode.PROTOCOL_ERROR, message);
  }

  /** Returns the stream to close; 0 for the whole connection. */
  int stream() {
    return stream;
  }

  /** Returns one of {@link ErrorCode}. */
  int code() {
    return code;
  }
}
