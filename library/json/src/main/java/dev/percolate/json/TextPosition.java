package dev.percolate.json;

import dev.percolate.http.Utf8;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A position in a text, counted in characters from 1.
 *
 * @param line the line
 * @param column the column
 */
record TextPosition(int line, int column) {

  /**
   * Finds the line and column of a byte.
   *
   * @param bytes UTF-8, or one byte for each character of the text
   * @param text the text; null if the bytes are UTF-8
   * @param position the index of the byte
   */
  static TextPosition of(byte[] bytes, @Nullable String text, int position) {
    String before =
        text == null ? Utf8.text(Arrays.copyOf(bytes, position)) : text.substring(0, position);
    int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
    return new TextPosition(line, before.length() - before.lastIndexOf('\n'));
  }
}
