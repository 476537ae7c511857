package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;

/**
 * A cache of the last values of some headers on an event loop. Browsers and proxies send most of
 * them unchanged in each request. A value with the same bytes is neither checked nor decoded again.
 *
 * <p>Only headers that describe a kind of client are cached, none that identify a client. Used on
 * one thread.
 */
final class RecentValues {

  /** Longer values are not cached. */
  static final int LONGEST = 192;

  private final byte[] bytes = new byte[KnownStrings.SHARED * LONGEST];
  private final String[] texts = new String[KnownStrings.SHARED];

  RecentValues() {
    Arrays.fill(texts, "");
  }

  /**
   * Returns the last value of a header if these bytes contain it, followed by the end of the line.
   *
   * @param name an index below {@link KnownStrings#SHARED}
   * @return the value; empty if the bytes differ
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

  /** Decodes a value and caches it in place of the last one. */
  String put(int name, byte[] data, int from, int to) {
    String text = new String(data, from, to - from, ISO_8859_1);
    if (to - from <= LONGEST) {
      System.arraycopy(data, from, bytes, name * LONGEST, to - from);
      texts[name] = text;
    }
    return text;
  }
}
