package dev.percolate.nio.transport;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLException;

/**
 * Received records that are incomplete or not yet processed. Used on its event loop only. Uses no
 * memory while empty.
 */
final class TlsInput {

  private static final int HEAD = 5;
  private static final byte[] NOTHING = {};

  private byte[] kept = NOTHING;
  private int count;

  /** Returns true if no bytes are kept. */
  boolean isEmpty() {
    return count == 0;
  }

  /** Returns true if there is a complete record. */
  boolean isWhole() throws SSLException {
    return isWhole(kept, 0, count);
  }

  /**
   * Returns the number of bytes to read: the rest of the record, or {@code most} if that is more.
   */
  int wanted(int most) throws SSLException {
    return Math.max(most, count < HEAD ? 0 : length(kept, 0) - count);
  }

  /**
   * Adds bytes to an incomplete record. Returns false and adds nothing if the record would be
   * complete.
   */
  boolean isStillPart(ByteBuffer in) throws SSLException {
    int more = in.remaining();
    if (count < HEAD || count + more >= length(kept, 0)) {
      return false;
    }
    in.get(kept, count, more);
    count += more;
    return true;
  }

  /** Copies the kept bytes to a buffer, before bytes that were just received. */
  void moveTo(ByteBuffer received) {
    received.put(kept, 0, count);
  }

  /** Keeps the remaining bytes in an array that can hold the rest of their record. */
  void keep(ByteBuffer received) throws SSLException {
    int left = received.remaining();
    if (left == 0) {
      kept = NOTHING;
    } else if (received.position() > 0 || left > count) {
      int from = received.arrayOffset() + received.position();
      int room = left < HEAD ? left : Math.max(left, length(received.array(), from));
      kept = new byte[room];
      received.get(kept, 0, left);
    }
    count = left;
  }

  /** Discards the kept bytes. */
  void clear() {
    kept = NOTHING;
    count = 0;
  }

  /** Returns true if the buffer begins with a complete record. */
  static boolean isWhole(ByteBuffer bytes) throws SSLException {
    int from = bytes.arrayOffset() + bytes.position();
    return isWhole(bytes.array(), from, bytes.remaining());
  }

  private static boolean isWhole(byte[] bytes, int from, int count) throws SSLException {
    return count >= HEAD && count >= length(bytes, from);
  }

  /** Returns the length of a record with its header. */
  private static int length(byte[] bytes, int from) throws SSLException {
    int length = HEAD + ((bytes[from + 3] & 0xff) << 8 | (bytes[from + 4] & 0xff));
    if (length > LoopMemory.Tls.RECORD) {
      throw new SSLException("TLS record too long");
    }
    return length;
  }
}
