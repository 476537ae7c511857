package dev.percolate.nio.wire;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLException;

/**
 * What has come of a record that is not whole, or of whole ones that wait for their turn; used on
 * its loop only. It takes no memory in between.
 */
final class TlsInput {

  private static final int HEAD = 5;
  private static final byte[] NOTHING = {};

  private byte[] kept = NOTHING;
  private int count;

  /** Tells whether there is nothing. */
  boolean isEmpty() {
    return count == 0;
  }

  /** Tells whether there is a whole record. */
  boolean isWhole() throws SSLException {
    return isWhole(kept, 0, count);
  }

  /** Returns how much to read: what a record lacks, or as much as is wanted. */
  int wanted(int most) throws SSLException {
    return Math.max(most, count < HEAD ? 0 : length(kept, 0) - count);
  }

  /** Adds to the record that has begun, if that does not make it whole. */
  boolean isStillPart(ByteBuffer in) throws SSLException {
    int more = in.remaining();
    if (count < HEAD || count + more >= length(kept, 0)) {
      return false;
    }
    in.get(kept, count, more);
    count += more;
    return true;
  }

  /** Puts all of it in front of what comes now. */
  void moveTo(ByteBuffer received) {
    received.put(kept, 0, count);
  }

  /** Keeps what is left, with room for the rest of its record. */
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

  /** Drops all. */
  void clear() {
    kept = NOTHING;
    count = 0;
  }

  /** Tells whether there is a whole record in front. */
  static boolean isWhole(ByteBuffer bytes) throws SSLException {
    int from = bytes.arrayOffset() + bytes.position();
    return isWhole(bytes.array(), from, bytes.remaining());
  }

  private static boolean isWhole(byte[] bytes, int from, int count) throws SSLException {
    return count >= HEAD && count >= length(bytes, from);
  }

  /** Returns the length of a record, with its head. */
  private static int length(byte[] bytes, int from) throws SSLException {
    int length = HEAD + ((bytes[from + 3] & 0xff) << 8 | (bytes[from + 4] & 0xff));
    if (length > LoopMemory.Tls.RECORD) {
      throw new SSLException("too long a record");
    }
    return length;
  }
}
