package dev.percolate.http2;

import dev.percolate.http.Headers;
import java.nio.ByteBuffer;

/**
 * A frame as a client sees it.
 *
 * @param headers the lines of HEADERS, decoded; none for others
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Frame(int type, int flags, int stream, byte[] payload, Headers headers) {

  /** Returns four bytes of the payload as a number. */
  int number(int at) {
    return ByteBuffer.wrap(payload).getInt(at);
  }

  /** Returns the status code, as text. */
  String status() {
    return String.valueOf(headers.get(":status"));
  }

  /** Returns true if this is the last frame of its stream. */
  boolean endsStream() {
    return (type == FrameType.DATA || type == FrameType.HEADERS)
        && (flags & FrameType.END_STREAM) != 0;
  }

  @Override
  public String toString() {
    String more =
        switch (type) {
          case FrameType.HEADERS -> " " + headers.toString().strip().replace('\n', ' ');
          case FrameType.RST_STREAM -> " code " + number(0);
          case FrameType.GOAWAY -> " last " + number(0) + " code " + number(4);
          default -> " " + payload.length + " bytes";
        };
    return "type " + type + " flags " + flags + " stream " + stream + more;
  }
}
