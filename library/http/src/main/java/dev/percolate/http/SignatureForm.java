package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/**
 * The form of cookie signatures that are created and accepted; the setting {@code cookie
 * signature}.
 */
public enum SignatureForm {

  /** Signatures of purpose, name and value, which are valid for one cookie only. */
  BOUND,

  /** Signatures of the value alone, as in Express. */
  EXPRESS,

  /** Creates signatures of {@link #BOUND}, and accepts both forms. */
  BOTH;

  /** The purpose of cookies that applications set and read themselves. */
  public static final String COOKIE = "cookie";

  private static final String MARK = "s:";

  /**
   * Returns the form for a value of the setting.
   *
   * @param setting {@code bound} (or null), {@code express} or {@code both}
   * @return the form
   * @throws IllegalArgumentException for any other value
   */
  public static SignatureForm of(@Nullable Object setting) {
    return SettingValue.of("cookie signature", setting, values());
  }

  /** Returns true if the value of a cookie has the prefix of signed values. */
  public static boolean isSigned(String value) {
    return value.startsWith(MARK);
  }

  /**
   * Signs a value.
   *
   * @param purpose the purpose of the cookie; ignored by {@link #EXPRESS}
   * @param name the name of the cookie; ignored by {@link #EXPRESS}
   * @param text the value to sign
   * @param secret the key, not empty
   * @return the value of the cookie: {@code s:}, the text, a dot and the signature
   */
  public String sign(String purpose, String name, String text, String secret) {
    return MARK
        + (this == EXPRESS
            ? CookieSignature.sign(text, secret)
            : CookieSignature.sign(purpose, name, text, secret));
  }

  /**
   * Verifies the value of a cookie.
   *
   * @param purpose the purpose of the cookie
   * @param name the name of the cookie
   * @param value the value of the cookie as received
   * @param secret the key, not empty
   * @return the signed text; null if the signature is wrong or absent
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
