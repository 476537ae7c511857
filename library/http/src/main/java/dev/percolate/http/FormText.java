package dev.percolate.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the parameters of a form one after the other, and decodes their names and values. */
final class FormText {
  private static final String SENTINEL = "utf8=";
  private static final String UTF_8_SENTINEL = SENTINEL + "%E2%9C%93";
  private static final String LATIN_1_SENTINEL = SENTINEL + "%26%2310003%3B";
  private static final Pattern REFERENCE = Pattern.compile("&#([0-9]+);");

  private final String text;
  private final int sentinel;
  private final boolean latin1;
  private final boolean numericEntities;

  private final Lookahead ampersand;
  private final Lookahead equals;
  private final Lookahead bracketAndEquals;
  private final Lookahead plus;
  private final Lookahead percent;

  private int start;
  private int nameEnd;
  private int end = -1;

  private FormText(String text, int sentinel, boolean latin1, boolean numericEntities) {
    this.text = text;
    this.sentinel = sentinel;
    this.latin1 = latin1;
    this.numericEntities = numericEntities;
    ampersand = new Lookahead(text, "&");
    equals = new Lookahead(text, "=");
    bracketAndEquals = new Lookahead(text, "]=");
    plus = new Lookahead(text, "+");
    percent = new Lookahead(text, "%");
  }

  /**
   * Creates a reader of a form.
   *
   * @param latin1 whether escapes are in ISO-8859-1 instead of UTF-8
   * @param charsetSentinel whether the first parameter {@code utf8=} overrides this and is skipped
   * @param numericEntities whether to decode character references in ISO-8859-1 values
   */
  static FormText of(
      String body, boolean latin1, boolean charsetSentinel, boolean numericEntities) {
    String text = plainBrackets(body);
    int sentinel = charsetSentinel ? sentinel(text) : -1;
    boolean told = sentinel < 0 ? latin1 : latin1BySentinel(text, sentinel, latin1);
    return new FormText(text, sentinel, told, told && numericEntities);
  }

  /** Moves to the next parameter, possibly an empty one; returns false at the end. */
  boolean next() {
    do {
      start = end + 1;
      end = Math.min(ampersand.from(start), text.length());
    } while (start == sentinel);
    int bracket = bracketAndEquals.from(start);
    nameEnd = bracket < end ? bracket + 1 : Math.min(equals.from(start), end);
    return start <= text.length();
  }

  String name() {
    return decode(start, nameEnd);
  }

  String value() {
    String value = nameEnd < end ? decode(nameEnd + 1, end) : "";
    return numericEntities ? interpretEntities(value) : value;
  }

  private String decode(int from, int to) {
    String raw = text.substring(from, to);
    if (plus.from(from) >= to && percent.from(from) >= to) {
      return raw;
    }
    return latin1 ? Percent.decodeFormLatin1(raw) : Percent.decodeForm(raw);
  }

  /** Decodes escaped brackets, including those in values. */
  private static String plainBrackets(String body) {
    if (body.indexOf("%5") < 0) {
      return body;
    }
    StringBuilder plain = new StringBuilder(body.length());
    for (int i = 0; i < body.length(); i++) {
      char c = body.charAt(i);
      char digit =
          c == '%' && body.startsWith("5", i + 1) && i + 2 < body.length()
              ? body.charAt(i + 2)
              : ' ';
      boolean open = digit == 'B' || digit == 'b';
      boolean close = digit == 'D' || digit == 'd';
      plain.append(open ? '[' : close ? ']' : c);
      i += open || close ? 2 : 0;
    }
    return plain.toString();
  }

  /** Returns the index of the first parameter that sets the charset; -1 if there is none. */
  private static int sentinel(String text) {
    int start = 0;
    while (start < text.length() && !text.startsWith(SENTINEL, start)) {
      start = Ascii.indexOrEnd(text, '&', start) + 1;
    }
    return start < text.length() ? start : -1;
  }

  private static boolean latin1BySentinel(String text, int sentinel, boolean latin1) {
    String part = text.substring(sentinel, Ascii.indexOrEnd(text, '&', sentinel));
    return part.equals(LATIN_1_SENTINEL) || (latin1 && !part.equals(UTF_8_SENTINEL));
  }

  /** Finds the next occurrence of a substring. All calls together read the text once. */
  private static final class Lookahead {
    private final String text;
    private final String wanted;
    private int place = -1;

    Lookahead(String text, String wanted) {
      this.text = text;
      this.wanted = wanted;
    }

    /**
     * Returns the index of the first occurrence at or after a start.
     *
     * @param start the start, not less than in an earlier call
     * @return the index; {@link Integer#MAX_VALUE} if there is none
     */
    int from(int start) {
      if (place < start) {
        int found = text.indexOf(wanted, start);
        place = found < 0 ? Integer.MAX_VALUE : found;
      }
      return place;
    }
  }

  /**
   * Decodes decimal character references, only complete ones. Of a number above U+10FFFF, the low
   * 16 bits count.
   */
  private static String interpretEntities(String text) {
    if (!text.contains("&#")) {
      return text; // a form may have 100,000 values
    }
    return REFERENCE
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(character(found.group(1))));
  }

  private static String character(String digits) {
    int low = 0;
    int value = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(i) - '0';
      low = (10 * low + digit) & 0xFFFF;
      value = Math.min(10 * value + digit, Character.MAX_CODE_POINT + 1);
    }
    return Character.toString(value > Character.MAX_CODE_POINT ? low : value);
  }
}
