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

  private static final List<String> NAMES =
      List.of(
          "Accept",
          "Accept-Encoding",
          "Accept-Language",
          "Authorization",
          "Cache-Control",
          "Connection",
          "Content-Encoding",
          "Content-Length",
          "Content-Type",
          "Cookie",
          "DNT",
          "Expect",
          "Forwarded",
          "Host",
          "If-Match",
          "If-Modified-Since",
          "If-None-Match",
          "If-Range",
          "If-Unmodified-Since",
          "Keep-Alive",
          "Origin",
          "Pragma",
          "Priority",
          "Range",
          "Referer",
          "Sec-CH-UA",
          "Sec-CH-UA-Mobile",
          "Sec-CH-UA-Platform",
          "Sec-Fetch-Dest",
          "Sec-Fetch-Mode",
          "Sec-Fetch-Site",
          "Sec-Fetch-User",
          "TE",
          "Traceparent",
          "Tracestate",
          "Transfer-Encoding",
          "Upgrade",
          "Upgrade-Insecure-Requests",
          "User-Agent",
          "Via",
          "X-Forwarded-For",
          "X-Forwarded-Host",
          "X-Forwarded-Port",
          "X-Forwarded-Proto",
          "X-Real-IP",
          "X-Request-ID",
          "X-Requested-With");

  private static final byte[][] BYTES = new byte[SLOTS][];
  private static final String[] TEXTS = new String[SLOTS];

  static {
    METHODS.forEach(KnownTexts::put);
    NAMES.forEach(KnownTexts::put);
    NAMES.forEach(name -> put(name.toLowerCase(Locale.ROOT)));
  }

  private KnownTexts() {}

  /** Returns the text of some bytes. */
  static String of(byte[] data, int from, int to) {
    int slot = slot(data, from, to);
    for (byte[] known = BYTES[slot]; known != null; known = BYTES[slot]) {
      if (Arrays.equals(known, 0, known.length, data, from, to)) {
        return TEXTS[slot];
      }
      slot = (slot + 1) % SLOTS;
    }
    return new String(data, from, to - from, ISO_8859_1);
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
