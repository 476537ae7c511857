package dev.percolate.parsers;

import dev.percolate.http.BodyErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Collects the bytes of one body, up to its limit. Also the decoder of bodies without a content
 * coding.
 */
final class Bytes implements Decoder {

  /** The number of bytes to decompress before counting them. */
  static final int BLOCK = 16 << 10;

  /**
   * The size up to which an announced length is allocated at once. Clients may announce much and
   * send little.
   */
  private static final int FIRST = 512;

  /** Beyond that, an announced length is allocated up to this multiple of the received bytes. */
  private static final int TRUST = 8;

  private static final int GREATEST = Integer.MAX_VALUE - 8;

  private static final byte[] NONE = {};

  private final long limit;
  private final long expected;
  private final MemoryShare kept;
  private byte[] bytes = NONE;
  private int size;

  /** The number of bytes that were removed. */
  private long removed;

  /**
   * Creates an empty collection.
   *
   * @param limit the maximum number of bytes
   * @param expected the announced length; negative if unknown
   * @param kept counts the allocated memory
   */
  Bytes(long limit, long expected, MemoryShare kept) {
    this.limit = limit;
    this.expected = expected;
    this.kept = kept;
  }

  /**
   * Adds a chunk.
   *
   * @throws dev.percolate.http.HttpError 413 beyond the limit
   */
  @Override
  public void add(ByteBuffer piece) {
    int length = piece.remaining();
    long needed = check(length);
    if (bytes.length == 0 && piece.hasArray() && capacity(needed) == length) {
      // Common case: a copy saves clearing a new array first.
      kept.add(length);
      int start = piece.arrayOffset() + piece.position();
      bytes = Arrays.copyOfRange(piece.array(), start, start + length);
      piece.position(piece.limit());
    } else {
      reserve(needed);
      piece.get(bytes, size, length);
    }
    size += length;
  }

  void add(byte[] piece, int length) {
    add(piece, 0, length);
  }

  void add(byte[] piece, int start, int length) {
    reserve(check(length));
    System.arraycopy(piece, start, bytes, size, length);
    size += length;
  }

  /** Adds one byte. */
  void add(int value) {
    if (size == bytes.length) {
      reserve(check(1));
    }
    bytes[size++] = (byte) value;
  }

  /**
   * Appends a copy of earlier bytes. If there are fewer than requested, the appended bytes are
   * copied, too.
   *
   * @param distance the distance of the first copied byte from the end, at least 1
   */
  void repeat(int distance, int length) {
    int span = distance;
    int left = length;
    while (left > 0) {
      int n = Math.min(left, Math.min(BLOCK, span));
      add(bytes, size - span, n);
      left -= n;
      // The added bytes repeat, so the next copy can be longer.
      if (n == span) {
        span *= 2;
      }
    }
  }

  /**
   * Returns a byte by its distance from the end, 1 for the last one; 0 if there are fewer bytes.
   */
  int fromEnd(int place) {
    return place <= size ? bytes[size - place] & 0xFF : 0;
  }

  int size() {
    return size;
  }

  MemoryShare kept() {
    return kept;
  }

  /** Returns the bytes so far, read-only. */
  ByteBuffer view() {
    return ByteBuffer.wrap(bytes, 0, size).asReadOnlyBuffer();
  }

  /** Reads a stream to its end and closes it. */
  void addAll(InputStream stream) throws IOException {
    byte[] block = new byte[BLOCK];
    try (stream) {
      for (int n = stream.read(block, 0, BLOCK); n > 0; n = stream.read(block, 0, BLOCK)) {
        add(block, n);
      }
    }
  }

  long limit() {
    return limit;
  }

  /** Returns the bytes. No bytes may be added afterwards. */
  byte[] toArray() {
    return bytes.length == size ? bytes : Arrays.copyOf(bytes, size);
  }

  /** Removes the bytes so far, which still count for the limit, and returns a copy of them. */
  ByteBuffer remove() {
    ByteBuffer copy = ByteBuffer.wrap(Arrays.copyOf(bytes, size));
    removed += size;
    size = 0;
    return copy;
  }

  private void reserve(long needed) {
    if (needed > bytes.length) {
      int capacity = capacity(needed);
      kept.add((long) capacity - bytes.length);
      bytes = Arrays.copyOf(bytes, capacity);
    }
  }

  /** Returns the size after adding bytes. */
  private long check(int more) {
    long needed = (long) size + more;
    if (removed + needed > limit || needed > GREATEST) {
      throw BodyErrors.tooLarge(limit).with("received", removed + needed);
    }
    return needed;
  }

  /**
   * Returns the new capacity: double, or an announced length that the received bytes make
   * plausible.
   */
  private int capacity(long needed) {
    long wanted = Math.max(needed, 2L * bytes.length);
    if (expected >= needed) {
      wanted = Math.min(expected, needed <= FIRST ? FIRST : TRUST * needed);
    }
    return (int) Math.min(wanted, Math.max(needed, Math.min(limit, GREATEST)));
  }

  /** Counts the memory that one body takes while it is read, and reserves more if needed. */
  static final class MemoryShare {

    /** The memory to reserve at first for a body of unknown length, in bytes. */
    private static final long FIRST = 256 << 10;

    /**
     * The memory that a body may take without a reservation, in bytes: the share of its connection.
     */
    private static final long LITTLE = 4 << 10;

    private final LongConsumer room;
    private long granted = LITTLE;
    private long taken;

    /**
     * Creates a count of zero.
     *
     * @param room reserves the given number of bytes in all, or throws
     */
    MemoryShare(LongConsumer room) {
      this.room = room;
    }

    /**
     * Returns the memory to reserve at first for a body of unknown length, besides its work space.
     */
    static long first(long limit) {
      return Math.max(0, Math.min(limit, FIRST));
    }

    /** Counts more bytes, before they are allocated. */
    void add(long bytes) {
      taken += bytes;
      if (taken > granted) {
        room.accept(taken);
        granted = taken;
      }
    }
  }
}
