package dev.percolate.http;

import java.nio.charset.StandardCharsets;

/** Takes the bytes that a fuzzer makes up for lines of Latin-1, as engines read headers. */
final class FuzzLines {

  private FuzzLines() {}

  static String text(byte[] data) {
    return new String(data, StandardCharsets.ISO_8859_1);
  }

  /**
   * Returns as many lines as asked for; those that are not there are empty, the last has the rest.
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
