package dev.percolate.http2;

/** The settings of a client (RFC 9113 section 6.5.2) that affect the server. */
final class PeerSettings {

  static final int HEADER_TABLE_SIZE = 1;
  static final int ENABLE_PUSH = 2;
  static final int MAX_CONCURRENT_STREAMS = 3;
  static final int INITIAL_WINDOW_SIZE = 4;
  static final int MAX_FRAME_SIZE = 5;
  static final int MAX_HEADER_LIST_SIZE = 6;
  static final int ENABLE_CONNECT_PROTOCOL = 8;

  /** The default flow-control window, in bytes. */
  static final int WINDOW = 65_535;

  private static final int MOST_FRAME = (1 << 24) - 1;

  private int window = WINDOW;

  /** Returns the initial window of new streams, in bytes. */
  int window() {
    return window;
  }

  /** Sets the initial window of new streams and returns the difference from the previous size. */
  long changeWindow(int size) throws FrameError {
    if (size < 0) {
      throw FrameError.ofConnection(
          ErrorCode.FLOW_CONTROL_ERROR, "the initial window must be at most 2^31-1");
    }
    long by = (long) size - window;
    window = size;
    return by;
  }

  /** Checks that the value of a setting is valid. */
  static void check(int name, int value) throws FrameError {
    boolean right =
        switch (name) {
          case ENABLE_PUSH, ENABLE_CONNECT_PROTOCOL -> value == 0 || value == 1;
          case MAX_FRAME_SIZE -> value >= FrameType.MOST && value <= MOST_FRAME;
          default -> true;
        };
    if (!right) {
      throw FrameError.ofConnection(
          ErrorCode.PROTOCOL_ERROR, "invalid setting " + name + ", was " + value);
    }
  }
}
