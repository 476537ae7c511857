package dev.percolate.http;

/** Reads the text of a form, part by part: names and values in turn, decoded. */
final class FormText {
  private static final String SENTINEL = "utf8=";
  private static final String UTF_8_SENTINEL = SENTINEL + "%E2%9C%93";
  private static final String LATIN_1_SENTINEL = SENTINEL + "%26%2310003%3B";

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
   * Begins to read a form.
   *
   * @param latin1 whether escapes are of ISO-8859-1
   * @param charsetSentinel whether a first part {@code utf8=} tells that instead, and is left out
   * @param numericEntities whether references to characters count in values of ISO-8859-1
   */
  static FormText of(
      String body, boolean latin1, boolean charsetSentinel, boolean numericEntities) {
    String text = plainBrackets(body);
    int sentinel = charsetSentinel ? sentinel(text) : -1;
    boolean told = sentinel < 0 ? latin1 : latin1BySentinel(text, sentinel, latin1);
    return new FormText(text, sentinel, told, told && numericEntities);
  }

  /** Goes on to the next part; an empty one counts. */
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
    return numericEntities ? NumericEntities.interpret(value) : value;
  }

  private String decode(int from, int to) {
    String raw = text.substring(from, to);
    if (plus.from(from) >= to && percent.from(from) >= to) {
      return raw;
    }
    return latin1 ? Percent.decodeFormLatin1(raw) : Percent.decodeForm(raw);
  }

  /** Makes escaped brackets plain, also those in values. */
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

  /** Finds where the first part begins that tells the charset; -1 if there is none. */
  private static int sentinel(String text) {
    int start = 0;
    while (start < text.length() && !text.startsWith(SENTINEL, start)) {
      start = partEnd(text, start) + 1;
    }
    return start < text.length() ? start : -1;
  }

  private static boolean latin1BySentinel(String text, int sentinel, boolean latin1) {
    String part = text.substring(sentinel, partEnd(text, sentinel));
    return part.equals(LATIN_1_SENTINEL) || (latin1 && !part.equals(UTF_8_SENTINEL));
  }

  private static int partEnd(String text, int start) {
    int end = text.indexOf('&', start);
    return end < 0 ? text.length() : end;
  }

  /** Finds what comes next in a text; goes over the text once, however often it is asked. */
  private static final class Lookahead {
    private final String text;
    private final String wanted;
    private int place = -1;

    Lookahead(String text, String wanted) {
      this.text = text;
      this.wanted = wanted;
    }

    /**
     * Returns the place of the first at or behind a start.
     *
     * @param start not before that of an earlier call
     * @return the place; the greatest number if there is none
     */
    int from(int start) {
      if (place < start) {
        int found = text.indexOf(wanted, start);
        place = found < 0 ? Integer.MAX_VALUE : found;
      }
      return place;
    }
  }
}
