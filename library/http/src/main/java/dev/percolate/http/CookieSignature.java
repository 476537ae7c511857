package dev.percolate.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Signs cookie values with HMAC-SHA256 and verifies the signatures.
 *
 * <p>A signature of the value alone is valid for every cookie with the same secret. A signature of
 * purpose, name and value is valid for that cookie only.
 */
public final class CookieSignature {
  private static final String ALGORITHM = "HmacSHA256";

  // Never part of UTF-8, so that different lists of texts are different bytes, and no list is equal
  // to a single text.
  private static final int BORDER = 0xFF;

  private CookieSignature() {}

  /**
   * Signs a value.
   *
   * @param value the value
   * @param secret the key
   * @return the value, a dot and the signature in Base64 without padding
   * @throws IllegalArgumentException if the secret is empty
   */
  public static String sign(String value, String secret) {
    return value + '.' + signature(utf8(value), secret);
  }

  /**
   * Signs a value for a cookie with a purpose and a name.
   *
   * @param purpose the purpose of the cookie
   * @param name the name of the cookie
   * @param value the value
   * @param secret the key
   * @return the value, a dot and the signature in Base64 without padding
   * @throws IllegalArgumentException if the secret is empty
   */
  public static String sign(String purpose, String name, String value, String secret) {
    return value + '.' + signature(bound(purpose, name, value), secret);
  }

  /**
   * Verifies a signed value. The time taken does not depend on the signature.
   *
   * @param signed the result of {@link #sign}, or any other text
   * @param secret the key
   * @return the value; null if the signature is wrong or absent
   * @throws IllegalArgumentException if the secret is empty
   */
  public static @Nullable String unsign(String signed, String secret) {
    return verified(signed, value -> sign(value, secret));
  }

  /**
   * Verifies a value that was signed for a purpose and name; see {@link #unsign(String, String)}.
   *
   * @param purpose the purpose of the cookie
   * @param name the name of the cookie
   * @param signed the result of {@link #sign(String, String, String, String)}, or any other text
   * @param secret the key
   * @return the value; null if the signature is wrong, or is for another purpose or name
   * @throws IllegalArgumentException if the secret is empty
   */
  public static @Nullable String unsign(String purpose, String name, String signed, String secret) {
    return verified(signed, value -> sign(purpose, name, value, secret));
  }

  private static @Nullable String verified(String signed, UnaryOperator<String> sign) {
    int dot = signed.lastIndexOf('.');
    String value = signed.substring(0, Math.max(0, dot));
    boolean right = dot >= 0 && MessageDigest.isEqual(utf8(sign.apply(value)), utf8(signed));
    return right ? value : null;
  }

  private static byte[] bound(String... texts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String text : texts) {
      bytes.write(BORDER);
      bytes.writeBytes(utf8(text));
    }
    return bytes.toByteArray();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String signature(byte[] text, String secret) {
    if (secret.isEmpty()) {
      throw new IllegalArgumentException("the secret for signed cookies must not be empty");
    }
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(utf8(secret), ALGORITHM));
      byte[] digest = mac.doFinal(text);
      return Base64.getEncoder().withoutPadding().encodeToString(digest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime must support " + ALGORITHM, e);
    }
  }
}
