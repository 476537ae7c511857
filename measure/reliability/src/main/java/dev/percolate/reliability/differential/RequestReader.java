package dev.percolate.reliability.differential;

/** Reads bytes as the requests of one connection. */
public interface RequestReader {

  /** Returns the requests in the bytes, which are not changed. */
  Reading read(byte[] bytes);
}
