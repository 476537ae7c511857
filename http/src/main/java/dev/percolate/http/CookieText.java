package dev.percolate.http;

/**
 * Keeps text in cookies apart from what begins with a mark: {@code j:} stands before JSON, {@code
 * s:} before what is signed.
 *
 * <p>Text that looks like one of these gets the mark {@code t:} in front, and text that looks like
 * a marked text one more; all other text stays as it is. So each text is read as it was written,
 * and no text of a user is ever taken for JSON.
 */
public final class CookieText {
  private static final String MARK = "t:";

  private CookieText() {}

  /**
   * Returns how a text is written.
   *
   * @param text any text
   * @return the text, with {@code t:} in front where it looks like something else
   */
  public static String escape(String text) {
    return looksMarked(text) ? MARK + text : text;
  }

  /**
   * Returns the text that was written.
   *
   * @param value what {@link #escape} made, or anything else
   * @return the value without the mark that {@link #escape} has put there
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
