package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;

/**
 * The values that some headers had last on a loop. Browsers and proxies send most of them alike in
 * each request: what is the same byte for byte needs no look at its characters, and no new text.
 *
 * <p>Only headers that name a kind of client are kept, none that tell one client from another. Used
 * on one thread.
 */
final class RecentValues {

  /** Longer values are not kept. */
  static final int LONGEST = 192;

  private final byte[] bytes = new byte[KnownTexts.SHARED * LONGEST];
  private final String[] texts = new String[KnownTexts.SHARED];

  RecentValues() {
    Arrays.fill(texts, "");
  }

  /**
   * Returns the value that a header had last, if that stands here with the end of its line behind.
   *
   * @param name a number below {@link KnownTexts#SHARED}
   * @return the value; empty if something else stands here
   */
  String at(int name, byte[] data, int from, int to) {
    String text = texts[name];
    int end = from + text.length();
    int known = name * LONGEST;
    boolean same =
        end + 1 < to
            && data[end] == '\r'
            && data[end + 1] == '\n'
            && Arrays.equals(bytes, known, known + text.length(), data, from, end);
    return same ? text : "";
  }

  /** Returns the text of a value, which is kept in place of the one before. */
  String put(int name, byte[] data, int from, int to) {
    String text = new String(data, from, to - from, ISO_8859_1);
    if (to - from <= LONGEST) {
      System.arraycopy(data, from, bytes, name * LONGEST, to - from);
      texts[name] = text;
    }
    return text;
  }
}
