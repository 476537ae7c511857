package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Turns bytes into the texts of methods and header names. What most clients send comes from a
 * table, in the letter case in which they send it, so that nothing is made of it anew.
 */
final class KnownTexts {

  private static final int SLOTS = 512;

  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE");

  /** Names of headers that most clients of a kind send with the same value each time. */
  private static final List<String> SHARED_NAMES =
      List.of(
          "Accept",
          "Accept-Encoding",
          "Accept-Language",
          "Cache-Control",
          "Connection",
          "Content-Type",
          "DNT",
          "Host",
          "Origin",
          "Pragma",
          "Priority",
          "Sec-CH-UA",
          "Sec-CH-UA-Mobile",
          "Sec-CH-UA-Platform",
          "Sec-Fetch-Dest",
          "Sec-Fetch-Mode",
          "Sec-Fetch-Site",
          "Sec-Fetch-User",
          "TE",
          "Upgrade-Insecure-Requests",
          "User-Agent",
          "Via",
          "X-Forwarded-Host",
          "X-Forwarded-Port",
          "X-Forwarded-Proto",
          "X-Requested-With");

  private static final List<String> OTHER_NAMES =
      List.of(
          "Authorization",
          "Content-Encoding",
          "Content-Length",
          "Cookie",
          "Expect",
          "Forwarded",
          "If-Match",
          "If-Modified-Since",
          "If-None-Match",
          "If-Range",
          "If-Unmodified-Since",
          "Keep-Alive",
          "Range",
          "Referer",
          "Traceparent",
          "Tracestate",
          "Transfer-Encoding",
          "Upgrade",
          "X-Forwarded-For",
          "X-Real-IP",
          "X-Request-ID");

  /** How many names there are whose values are shared; their numbers are below. */
  static final int SHARED = SHARED_NAMES.size();

  /** What is not in the table. */
  static final int UNKNOWN = -1;

  private static final byte[][] BYTES = new byte[SLOTS][];
  private static final String[] TEXTS = new String[SLOTS];
  private static final int[] SHARED_AT = new int[SLOTS];

  static {
    Arrays.fill(SHARED_AT, UNKNOWN);
    METHODS.forEach(KnownTexts::put);
    OTHER_NAMES.forEach(KnownTexts::putName);
    SHARED_NAMES.forEach(KnownTexts::putName);
    for (int i = 0; i < SHARED; i++) {
      SHARED_AT[find(SHARED_NAMES.get(i))] = i;
      SHARED_AT[find(SHARED_NAMES.get(i).toLowerCase(Locale.ROOT))] = i;
    }
  }

  private KnownTexts() {}

  /** Returns the text of some bytes. */
  static String of(byte[] data, int from, int to) {
    return text(find(data, from, to), data, from, to);
  }

  /** Returns the place of some bytes in the table; {@link #UNKNOWN} if they are not there. */
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

  /** Returns the text of some bytes, whose place has been found. */
  static String text(int place, byte[] data, int from, int to) {
    return place == UNKNOWN ? new String(data, from, to - from, ISO_8859_1) : TEXTS[place];
  }

  /** Returns the number of a name whose values are shared; {@link #UNKNOWN} for all else. */
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

  /** Returns where a text is looked for first: its length, both ends and its middle say. */
  private static int slot(byte[] data, int from, int to) {
    int middle = (from + to) >>> 1;
    int mix = data[from] * 31 + data[to - 1];
    return ((mix * 31 + data[middle]) * 31 + to - from) & (SLOTS - 1);
  }
}
