package dev.percolate.reliability.differential;

/** Reads bytes as the requests of one connection. */
public interface RequestReader {

  /** Returns what the bytes are read as; they are not changed. */
  Reading read(byte[] bytes);
}
