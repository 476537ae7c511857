package dev.percolate.parsers;

import dev.percolate.http.BodyErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Collects the bytes of one body, up to its limit; the decoder of a body that has no encoding. */
final class Bytes implements Decoder {

  /** How much is inflated before it is counted. */
  static final int BLOCK = 16 << 10;

  /** What is announced is believed up to here: many clients may announce much and send a byte. */
  private static final int FIRST = 512;

  /** Beyond, it is believed up to so many times of what has come. */
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
   * @param limit how many bytes are allowed
   * @param expected how many are announced; negative if that is not known
   * @param kept counts what they take in memory
   */
  Bytes(long limit, long expected, MemoryShare kept) {
    this.limit = limit;
    this.expected = expected;
    this.kept = kept;
  }

  /**
   * Adds a piece.
   *
   * @throws dev.percolate.http.HttpError 413 beyond the limit
   */
  @Override
  public void add(ByteBuffer piece) {
    int length = piece.remaining();
    long needed = check(length);
    if (bytes.length == 0 && piece.hasArray() && capacity(needed) == length) {
      // All at once, as a rule: unlike an array to be filled, a copy is not cleared before.
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

  @Override
  public void end() {}

  @Override
  public void close() {}

  int size() {
    return size;
  }

  MemoryShare kept() {
    return kept;
  }

  /** Returns the bytes so far, to be read only. */
  ByteBuffer view() {
    return ByteBuffer.wrap(bytes, 0, size).asReadOnlyBuffer();
  }

  /** Adds all that a stream gives, and closes it. */
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

  /** Returns the bytes; nothing is to be added afterwards. */
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

  /** Returns the size with so many more, if that is allowed. */
  private long check(int more) {
    long needed = (long) size + more;
    if (removed + needed > limit || needed > GREATEST) {
      throw BodyErrors.tooLarge(limit).with("received", removed + needed);
    }
    return needed;
  }

  /** Doubles, unless a length is announced that what has come makes likely. */
  private int capacity(long needed) {
    long wanted = Math.max(needed, 2L * bytes.length);
    if (expected >= needed) {
      wanted = Math.min(expected, needed <= FIRST ? FIRST : TRUST * needed);
    }
    return (int) Math.min(wanted, Math.max(needed, Math.min(limit, GREATEST)));
  }
}
