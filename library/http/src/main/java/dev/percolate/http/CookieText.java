package dev.percolate.http;

/**
 * Escapes cookie text that begins like a JSON value ({@code j:}) or a signed value ({@code s:}).
 *
 * <p>The prefix {@code t:} is added to such text, and to text that already has this prefix before
 * {@code j:} or {@code s:}. All other text is unchanged. So every text is read as it was written,
 * and text from a user is never parsed as JSON.
 */
public final class CookieText {
  private static final String MARK = "t:";

  private CookieText() {}

  /**
   * Escapes a text.
   *
   * @param text any text
   * @return the text, with the prefix {@code t:} if necessary
   */
  public static String escape(String text) {
    return looksMarked(text) ? MARK + text : text;
  }

  /**
   * Reverses {@link #escape}.
   *
   * @param value the result of {@link #escape}, or any other text
   * @return the value without the prefix that {@link #escape} has added
   */
  public static String unescape(String value) {
    boolean escaped = value.startsWith(MARK) && looksMarked(value.substring(MARK.length()));
    return escaped ? value.substring(MARK.length()) : value;
  }

  private static boolean looksMarked(String text) {
    int at = 0;
    while (text.startsWith(MARK, at)) {
      at += MARK.length();
    }
    return text.startsWith("j:", at) || text.startsWith("s:", at);
  }
}
