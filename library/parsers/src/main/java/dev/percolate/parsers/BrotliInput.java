package dev.percolate.parsers;

import java.io.EOFException;
import java.io.IOException;

/** Reads the bits of a brotli stream, the least significant bit of each byte first. */
final class BrotliInput {

  private final byte[] bytes;
  private int next;

  /** Bits that were taken from the bytes and not read yet. */
  private long held;

  private int count;

  BrotliInput(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the next bits without reading them; after the end, they are zero.
   *
   * @param n at most 24
   */
  int peek(int n) {
    if (count < n) {
      fill();
    }
    return (int) held & ((1 << n) - 1);
  }

  /** Skips bits that were returned by {@link #peek}. */
  void skip(int n) throws IOException {
    if (n > count) {
      throw new EOFException("unexpected end of file");
    }
    held >>>= n;
    count -= n;
  }

  /**
   * Reads a number.
   *
   * @param n the number of bits, at most 24
   */
  int read(int n) throws IOException {
    int value = peek(n);
    skip(n);
    return value;
  }

  boolean readFlag() throws IOException {
    return read(1) == 1;
  }

  /** Reads to the next byte boundary. The skipped bits must be zero. */
  void align() throws IOException {
    if (read(count & 7) != 0) {
      throw new IOException("incorrect padding");
    }
  }

  /** Appends whole bytes to the output; the input must be at a byte boundary. */
  void copyBytes(int length, Bytes out) throws IOException {
    int start = skipBytes(length);
    out.add(bytes, start, length);
  }

  /**
   * Skips whole bytes, and returns the index of the first one. The input must be at a byte
   * boundary.
   */
  int skipBytes(int length) throws IOException {
    int start = next - count / 8;
    if (length > bytes.length - start) {
      throw new EOFException("unexpected end of file");
    }
    next = start + length;
    held = 0;
    count = 0;
    return start;
  }

  private void fill() {
    while (count <= 56 && next < bytes.length) {
      held |= (bytes[next++] & 0xFFL) << count;
      count += 8;
    }
  }
}
