package dev.percolate.http2;

import dev.percolate.nio.protocol.ProtocolConnection;
import java.nio.ByteBuffer;

/** Writes frames (RFC 9113 section 6) to one connection. Used on its event loop only. */
final class FrameWriter {

  private final ProtocolConnection connection;
  private final byte[] few = new byte[FrameType.HEAD + 64];
  private final ByteBuffer numbers = ByteBuffer.wrap(few);

  FrameWriter(ProtocolConnection connection) {
    this.connection = connection;
  }

  /**
   * Writes a SETTINGS frame.
   *
   * @param pairs alternating names and values, at most five pairs
   */
  void settings(int... pairs) {
    int length = pairs.length / 2 * 6;
    head(length, FrameType.SETTINGS, 0, 0);
    for (int i = 0; i < pairs.length; i += 2) {
      int at = FrameType.HEAD + i / 2 * 6;
      numbers.putShort(at, (short) pairs[i]).putInt(at + 2, pairs[i + 1]);
    }
    connection.put(few, 0, FrameType.HEAD + length);
  }

  void settingsAck() {
    head(0, FrameType.SETTINGS, FrameType.ACK, 0);
    connection.put(few, 0, FrameType.HEAD);
  }

  void pingAck(long data) {
    head(Long.BYTES, FrameType.PING, FrameType.ACK, 0);
    numbers.putLong(FrameType.HEAD, data);
    connection.put(few, 0, FrameType.HEAD + Long.BYTES);
  }

  void goAway(int last, int code) {
    head(Long.BYTES, FrameType.GOAWAY, 0, 0);
    numbers.putInt(FrameType.HEAD, last).putInt(FrameType.HEAD + Integer.BYTES, code);
    connection.put(few, 0, FrameType.HEAD + Long.BYTES);
  }

  void reset(int stream, int code) {
    head(Integer.BYTES, FrameType.RST_STREAM, 0, stream);
    numbers.putInt(FrameType.HEAD, code);
    connection.put(few, 0, FrameType.HEAD + Integer.BYTES);
  }

  void windowUpdate(int stream, int increment) {
    head(Integer.BYTES, FrameType.WINDOW_UPDATE, 0, stream);
    numbers.putInt(FrameType.HEAD, increment);
    connection.put(few, 0, FrameType.HEAD + Integer.BYTES);
  }

  /** Writes a chunk of a body. The chunk must not change until it has been sent. */
  void data(int stream, ByteBuffer piece, boolean endsStream) {
    head(piece.remaining(), FrameType.DATA, endsStream ? FrameType.END_STREAM : 0, stream);
    connection.put(few, 0, FrameType.HEAD);
    if (piece.hasRemaining()) {
      connection.put(piece);
    }
  }

  /** Writes a header block as one HEADERS frame and as many CONTINUATION frames as it needs. */
  void headers(int stream, byte[] block, int length, boolean endsStream) {
    int from = 0;
    do {
      int count = Math.min(FrameType.MOST, length - from);
      int flags = from + count == length ? FrameType.END_HEADERS : 0;
      if (from == 0) {
        flags |= endsStream ? FrameType.END_STREAM : 0;
        head(count, FrameType.HEADERS, flags, stream);
      } else {
        head(count, FrameType.CONTINUATION, flags, stream);
      }
      connection.put(few, 0, FrameType.HEAD);
      connection.put(block, from, count);
      from += count;
    } while (from < length);
  }

  private void head(int length, int type, int flags, int stream) {
    numbers.putInt(0, length << 8 | type).put(4, (byte) flags).putInt(5, stream);
  }
}
