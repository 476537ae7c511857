package dev.percolate.http;

import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes percent escapes of text in UTF-8 (RFC 3986 section 2.1). */
public final class Percent {
  private static final String COMPONENT = "-_.!~*'()";
  private static final String EXTENDED = "-_.!~";
  private static final String UNRESERVED = "-._~";
  private static final String FORM = "-_.*";
  private static final String HEX = "0123456789ABCDEF";

  /** A percent sign that does not begin an escape. */
  private static final Pattern OTHER_PERCENT = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  private Percent() {}

  /**
   * Decodes all escapes. Plus signs are left unchanged.
   *
   * @param text any text
   * @return the decoded text; null if an escape is malformed or the bytes are not valid UTF-8
   */
  public static @Nullable String decode(String text) {
    int first = text.indexOf('%');
    if (first < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length()).append(text, 0, first);
    int i = first;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c != '%') {
        out.append(c);
        i++;
        continue;
      }
      int codePoint = codePointAt(text, i);
      if (codePoint < 0) {
        return null;
      }
      out.appendCodePoint(codePoint);
      i += 3 * sequenceLength(byteAt(text, i));
    }
    return out.toString();
  }

  /**
   * Decodes a name or value of a query: plus signs become spaces, then escapes are decoded.
   *
   * @param text any text
   * @return the decoded text; the unchanged text, including plus signs, if it cannot be decoded
   */
  public static String decodeQuery(String text) {
    String decoded = decode(text.replace('+', ' '));
    return decoded == null ? text : decoded;
  }

  /**
   * Decodes a name or value of a form: plus signs become spaces, then escapes are decoded.
   *
   * @param text any text
   * @return the decoded text; if it cannot be decoded, only the plus signs are replaced
   */
  public static String decodeForm(String text) {
    String blanks = text.replace('+', ' ');
    String decoded = decode(blanks);
    return decoded == null ? blanks : decoded;
  }

  /**
   * Decodes a name or value of a form in ISO-8859-1: plus signs become spaces, and each well-formed
   * escape becomes one character. Malformed escapes are left unchanged.
   *
   * @param text any text
   * @return the decoded text
   */
  public static String decodeFormLatin1(String text) {
    String blanks = text.replace('+', ' ');
    int first = blanks.indexOf('%');
    if (first < 0) {
      return blanks;
    }
    StringBuilder out = new StringBuilder(blanks.length()).append(blanks, 0, first);
    for (int i = first; i < blanks.length(); i++) {
      int value = blanks.charAt(i) == '%' ? byteAt(blanks, i) : -1;
      out.append(value < 0 ? blanks.charAt(i) : (char) value);
      i += value < 0 ? 0 : 2;
    }
    return out.toString();
  }

  /**
   * Encodes a component of a URI, such as the value of a cookie: all characters except ASCII
   * letters, digits and {@code -_.!~*'()} are escaped. A lone surrogate becomes U+FFFD.
   *
   * @param text any text
   * @return the encoded text
   */
  public static String encodeComponent(String text) {
    return encode(text, COMPONENT);
  }

  /**
   * Encodes the characters outside ASCII for a header. A lone surrogate becomes U+FFFD.
   *
   * @param text any text
   * @return the encoded text; ASCII characters and escapes are left unchanged
   */
  public static String encodeForHeader(String text) {
    return encode(text, c -> c < 0x80);
  }

  /** Encodes the characters of a path that browsers encode (URL Standard, section 1.3). */
  static String encodePath(String path) {
    return encode(path, c -> c < 0x80 && " \"<>`{}".indexOf(c) < 0);
  }

  /** Encodes characters outside ISO-8859-1 and some others. */
  static String encodeAboveLatin1(String text, String further) {
    return encode(text, c -> c <= 0xFF && further.indexOf(c) < 0);
  }

  /**
   * Encodes all characters except letters, digits, {@code - . _ ~}, well-formed escapes and some
   * others.
   */
  static String encodeBut(String text, String kept) {
    String escaped = OTHER_PERCENT.matcher(text).replaceAll("%25");
    return encode(escaped, UNRESERVED + "%" + kept);
  }

  /** Encodes the value of an extended parameter (RFC 8187). */
  static String encodeExtended(String text) {
    return encode(text, EXTENDED);
  }

  /** Encodes a name or value of a form, with plus signs for spaces. */
  static String encodeForm(String text) {
    return encode(text, FORM).replace("%20", "+");
  }

  /**
   * Returns the character that is escaped at an index.
   *
   * @param text any text
   * @param i the index of a percent sign
   * @return the code point; -1 if an escape is malformed or the bytes are not valid UTF-8
   */
  public static int codePointAt(String text, int i) {
    int length = sequenceLength(byteAt(text, i));
    return length == 0 ? -1 : codePoint(text, i, length);
  }

  /**
   * Returns the byte that is escaped at an index.
   *
   * @param text any text
   * @param i the index
   * @return the byte, 0 to 255; -1 if no well-formed escape begins there
   */
  public static int byteAt(String text, int i) {
    if (i + 2 >= text.length() || text.charAt(i) != '%') {
      return -1;
    }
    int high = Ascii.hexDigit(text.charAt(i + 1));
    int low = Ascii.hexDigit(text.charAt(i + 2));
    return high < 0 || low < 0 ? -1 : 16 * high + low;
  }

  /** Returns true if a well-formed escape begins at {@code i}. */
  static boolean isEscape(String text, int i) {
    return byteAt(text, i) >= 0;
  }

  private static String encode(String text, String kept) {
    return encode(text, c -> Ascii.isAlphanumeric(c) || kept.indexOf(c) >= 0);
  }

  private static String encode(String text, IntPredicate kept) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (kept.test(c)) {
        out.append((char) c);
        continue;
      }
      boolean lone = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
      String character = Character.toString(lone ? 0xFFFD : c);
      for (byte b : character.getBytes(StandardCharsets.UTF_8)) {
        out.append('%').append(HEX.charAt(b >> 4 & 0xF)).append(HEX.charAt(b & 0xF));
      }
    }
    return out.toString();
  }

  private static int sequenceLength(int lead) {
    if (lead < 0 || (lead >= 0x80 && lead < 0xC2) || lead > 0xF4) {
      return 0;
    }
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  }

  private static int codePoint(String text, int start, int length) {
    int lead = byteAt(text, start);
    if (length == 1) {
      return lead;
    }
    int value = lead & (0x7F >> length);
    for (int k = 1; k < length; k++) {
      int next = byteAt(text, start + 3 * k);
      if (next < 0x80 || next > 0xBF) {
        return -1;
      }
      value = value << 6 | (next & 0x3F);
    }
    boolean overlong = value < (length == 3 ? 0x800 : length == 4 ? 0x10000 : 0x80);
    boolean surrogate = value >= Character.MIN_SURROGATE && value <= Character.MAX_SURROGATE;
    return overlong || surrogate || value > Character.MAX_CODE_POINT ? -1 : value;
  }
}
