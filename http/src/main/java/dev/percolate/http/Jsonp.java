package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/** Wraps JSON into a call of a function that the client has named. */
public final class Jsonp {

  /** Longer than any name that libraries make up, and too short to smuggle in a program. */
  private static final int LONGEST = 128;

  private Jsonp() {}

  /**
   * Returns the name of a function without what is no part of one.
   *
   * @param asked what the client asks for; null for nothing
   * @return the name; null if none is asked for, or one of more than 128 characters
   */
  public static @Nullable String callback(@Nullable String asked) {
    if (asked == null || asked.isEmpty()) {
      return null;
    }
    StringBuilder callback = new StringBuilder();
    asked.chars().filter(Jsonp::isAllowed).forEach(c -> callback.append((char) c));
    return callback.length() > LONGEST ? null : callback.toString();
  }

  /**
   * Returns a script that calls a function.
   *
   * @param callback its name
   * @param json its argument, as JSON
   */
  public static String call(String callback, String json) {
    // JSON may hold line separators, older JavaScript may not. The comment in front keeps the
    // client from choosing the first bytes, which some plug-ins take for their own file format.
    String value = json.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
    return "/**/ typeof " + callback + " === 'function' && " + callback + "(" + value + ");";
  }

  private static boolean isAllowed(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "_$.[]".indexOf(c) >= 0;
  }
}
