package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/**
 * Says how cookies are signed, and which signatures count; the setting {@code cookie signature}.
 */
public enum SignatureForm {

  /** Of purpose, name and value: what was signed for one cookie is wrong in any other. */
  BOUND,

  /** Of the value alone, as Express makes and reads them. */
  EXPRESS,

  /** Makes those of {@link #BOUND}, and reads both. */
  BOTH;

  /** The purpose of the cookies that applications set and read themselves. */
  public static final String COOKIE = "cookie";

  private static final String MARK = "s:";

  /**
   * Reads a value of the setting.
   *
   * @param setting {@code bound} (or null), {@code express} or {@code both}
   * @return the form
   * @throws IllegalArgumentException for any other value
   */
  public static SignatureForm of(@Nullable Object setting) {
    if (setting == null || setting.equals("bound")) {
      return BOUND;
    } else if (setting.equals("express")) {
      return EXPRESS;
    } else if (setting.equals("both")) {
      return BOTH;
    }
    throw new IllegalArgumentException(
        "set(\"cookie signature\", " + setting + "): neither bound nor express nor both");
  }

  /** Tells whether the value of a cookie claims to be signed. */
  public static boolean isSigned(String value) {
    return value.startsWith(MARK);
  }

  /**
   * Signs a value.
   *
   * @param purpose what the cookie is for; {@link #EXPRESS} leaves it out
   * @param name the cookie's name, likewise
   * @param text the value
   * @param secret the key, not empty
   * @return the cookie's value: {@code s:}, the text, a dot and the signature
   */
  public String sign(String purpose, String name, String text, String secret) {
    return MARK
        + (this == EXPRESS
            ? CookieSignature.sign(text, secret)
            : CookieSignature.sign(purpose, name, text, secret));
  }

  /**
   * Checks the value of a cookie.
   *
   * @param purpose what the cookie is for
   * @param name the cookie's name
   * @param value the cookie's value, whatever it is
   * @param secret the key, not empty
   * @return the text that was signed; null if the value is not signed, or wrongly
   */
  public @Nullable String unsign(String purpose, String name, String value, String secret) {
    if (!isSigned(value)) {
      return null;
    }
    String signed = value.substring(MARK.length());
    String text = this == EXPRESS ? null : CookieSignature.unsign(purpose, name, signed, secret);
    return text == null && this != BOUND ? CookieSignature.unsign(signed, secret) : text;
  }
}
