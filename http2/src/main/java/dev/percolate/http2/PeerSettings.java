package dev.percolate.http2;

/** What a client wants of us (RFC 9113 section 6.5.2), as far as that matters. */
final class PeerSettings {

  static final int HEADER_TABLE_SIZE = 1;
  static final int ENABLE_PUSH = 2;
  static final int MAX_CONCURRENT_STREAMS = 3;
  static final int INITIAL_WINDOW_SIZE = 4;
  static final int MAX_FRAME_SIZE = 5;
  static final int MAX_HEADER_LIST_SIZE = 6;
  static final int ENABLE_CONNECT_PROTOCOL = 8;

  /** The size of windows as long as nobody says otherwise. */
  static final int WINDOW = 65_535;

  private static final int MOST_FRAME = (1 << 24) - 1;

  private int window = WINDOW;

  /** Returns the window of streams that begin. */
  int window() {
    return window;
  }

  /** Takes the window of streams that begin, and returns by how much it has changed. */
  long changeWindow(int size) throws FrameError {
    if (size < 0) {
      throw FrameError.ofConnection(ErrorCode.FLOW_CONTROL_ERROR, "too large a window");
    }
    long by = (long) size - window;
    window = size;
    return by;
  }

  /** Looks whether a setting may have a value. */
  static void check(int name, int value) throws FrameError {
    boolean right =
        switch (name) {
          case ENABLE_PUSH, ENABLE_CONNECT_PROTOCOL -> value == 0 || value == 1;
          case MAX_FRAME_SIZE -> value >= FrameType.MOST && value <= MOST_FRAME;
          default -> true;
        };
    if (!right) {
      throw FrameError.ofConnection(ErrorCode.PROTOCOL_ERROR, "setting " + name + " is " + value);
    }
  }
}
