package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/** Wraps JSON in a call of a function named by the client (JSONP). */
public final class Jsonp {

  /** The maximum length: longer than names that libraries generate, but too short for a program. */
  private static final int LONGEST = 128;

  private Jsonp() {}

  /**
   * Returns the name of the function, without characters that are not allowed in it.
   *
   * @param asked the name sent by the client; null if absent
   * @return the name; null if it is absent or has more than 128 characters
   */
  public static @Nullable String callback(@Nullable String asked) {
    if (asked == null || asked.isEmpty()) {
      return null;
    }
    String callback = asked.replaceAll("[^A-Za-z0-9_$.\\[\\]]", "");
    return callback.length() > LONGEST ? null : callback;
  }

  /**
   * Returns a script that calls the function.
   *
   * @param callback the name of the function
   * @param json the argument as JSON
   */
  public static String call(String callback, String json) {
    // JSON allows line separators in strings, older JavaScript does not. The comment prevents the
    // client from choosing the first bytes, which some plug-ins take for their file format.
    String value = json.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
    return "/**/ typeof " + callback + " === 'function' && " + callback + "(" + value + ");";
  }
}
