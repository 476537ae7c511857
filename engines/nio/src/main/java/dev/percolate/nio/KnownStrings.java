package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Converts bytes to the strings of methods and header names. Common ones come from a table, in the
 * letter case in which clients send them, so that no string is created.
 */
final class KnownStrings {

  private static final int SLOTS = 512;

  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE");

  /** Header names that most clients send with the same value in every request. */
  private static final List<String> SHARED_NAMES =
      words(
          """
          Accept Accept-Encoding Accept-Language Cache-Control Connection Content-Type DNT
          Host Origin Pragma Priority Sec-CH-UA Sec-CH-UA-Mobile Sec-CH-UA-Platform
          Sec-Fetch-Dest Sec-Fetch-Mode Sec-Fetch-Site Sec-Fetch-User TE
          Upgrade-Insecure-Requests User-Agent Via X-Forwarded-Host X-Forwarded-Port
          X-Forwarded-Proto X-Requested-With
          """);

  private static final List<String> OTHER_NAMES =
      words(
          """
          Authorization Content-Encoding Content-Length Cookie Expect Forwarded If-Match
          If-Modified-Since If-None-Match If-Range If-Unmodified-Since Keep-Alive Range
          Referer Traceparent Tracestate Transfer-Encoding Upgrade X-Forwarded-For
          X-Real-IP X-Request-ID
          """);

  /** The number of names in {@code SHARED_NAMES}; their indexes are smaller. */
  static final int SHARED = SHARED_NAMES.size();

  /** The result for bytes that are not in the table. */
  static final int UNKNOWN = -1;

  private static final byte[][] BYTES = new byte[SLOTS][];
  private static final String[] TEXTS = new String[SLOTS];
  private static final int[] SHARED_AT = new int[SLOTS];

  static {
    Arrays.fill(SHARED_AT, UNKNOWN);
    METHODS.forEach(KnownStrings::put);
    OTHER_NAMES.forEach(KnownStrings::putName);
    SHARED_NAMES.forEach(KnownStrings::putName);
    for (int i = 0; i < SHARED; i++) {
      SHARED_AT[find(SHARED_NAMES.get(i))] = i;
      SHARED_AT[find(SHARED_NAMES.get(i).toLowerCase(Locale.ROOT))] = i;
    }
  }

  private KnownStrings() {}

  private static List<String> words(String text) {
    return List.of(text.strip().split("\\s+", -1));
  }

  /** Returns the string for a range of bytes. */
  static String of(byte[] data, int from, int to) {
    return text(find(data, from, to), data, from, to);
  }

  /** Returns the index of a string in the table; {@link #UNKNOWN} if it is not there. */
  static int find(byte[] data, int from, int to) {
    int slot = slot(data, from, to);
    for (byte[] known = BYTES[slot]; known != null; known = BYTES[slot]) {
      if (Arrays.equals(known, 0, known.length, data, from, to)) {
        return slot;
      }
      slot = (slot + 1) % SLOTS;
    }
    return UNKNOWN;
  }

  /** Returns the string at an index in the table, or a new one for {@link #UNKNOWN}. */
  static String text(int place, byte[] data, int from, int to) {
    return place == UNKNOWN ? new String(data, from, to - from, ISO_8859_1) : TEXTS[place];
  }

  /** Returns the index of a name in {@code SHARED_NAMES}; {@link #UNKNOWN} for others. */
  static int shared(int place) {
    return place == UNKNOWN ? UNKNOWN : SHARED_AT[place];
  }

  private static int find(String text) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    return find(bytes, 0, bytes.length);
  }

  private static void putName(String name) {
    put(name);
    put(name.toLowerCase(Locale.ROOT));
  }

  private static void put(String text) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    int slot = slot(bytes, 0, bytes.length);
    while (BYTES[slot] != null) {
      slot = (slot + 1) % SLOTS;
    }
    BYTES[slot] = bytes;
    TEXTS[slot] = text;
  }

  /** Returns the first slot for a string, from its length, first, last and middle bytes. */
  private static int slot(byte[] data, int from, int to) {
    int middle = (from + to) >>> 1;
    int mix = data[from] * 31 + data[to - 1];
    return ((mix * 31 + data[middle]) * 31 + to - from) & (SLOTS - 1);
  }
}
