package dev.percolate.core;

/**
 * The part of a file to send.
 *
 * @param offset the index of its first byte
 * @param length its number of bytes
 */
record FileRange(long offset, long length) {

  /** Returns the part that the options select. */
  static FileRange of(long size, FileOptions options) {
    long start = Math.min(options.start, size);
    long end = Math.min(options.end, size - 1);
    return new FileRange(start, Math.max(0, end - start + 1));
  }
}
