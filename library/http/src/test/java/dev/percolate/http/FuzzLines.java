package dev.percolate.http;

import java.nio.charset.StandardCharsets;

/** Splits the bytes of a fuzzer into lines of ISO-8859-1, as engines read headers. */
final class FuzzLines {

  private FuzzLines() {}

  static String text(byte[] data) {
    return new String(data, StandardCharsets.ISO_8859_1);
  }

  /**
   * Returns a number of lines. Missing lines are empty, and the last line has the rest of the
   * bytes.
   */
  static String[] of(byte[] data, int count) {
    String[] lines = new String[count];
    String[] given = text(data).split("\n", count);
    for (int i = 0; i < count; i++) {
      lines[i] = i < given.length ? given[i] : "";
    }
    return lines;
  }
}
