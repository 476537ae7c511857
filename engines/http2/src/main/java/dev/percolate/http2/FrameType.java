package dev.percolate.http2;

/** Frame types and flags (RFC 9113 section 6). */
final class FrameType {

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PUSH_PROMISE = 5;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  static final int END_STREAM = 1;
  static final int ACK = 1;
  static final int END_HEADERS = 4;
  static final int PADDED = 8;
  static final int WITH_PRIORITY = 32;

  /** The maximum payload of a frame, in bytes, for frames sent and received. */
  static final int MOST = 16 << 10;

  /** The length of a frame header, in bytes. */
  static final int HEAD = 9;

  private FrameType() {}
}
