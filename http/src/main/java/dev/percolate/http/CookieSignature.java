package dev.percolate.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Signs the values of cookies with HMAC-SHA256, and checks such signatures.
 *
 * <p>A signature of the value alone is good for every cookie that the secret signs; one of purpose,
 * name and value for this cookie only.
 */
public final class CookieSignature {
  private static final String ALGORITHM = "HmacSHA256";

  // Never part of UTF-8: no text can hold it, so that each list of texts has bytes of its own, and
  // no list those of a text alone.
  private static final int BORDER = 0xFF;

  private CookieSignature() {}

  /**
   * Signs a value.
   *
   * @param value any text
   * @param secret the key, not empty
   * @return the value, a dot and the signature in base64 without padding
   * @throws IllegalArgumentException when the secret is empty
   */
  public static String sign(String value, String secret) {
    return value + '.' + signature(utf8(value), secret);
  }

  /**
   * Signs a value for one purpose under one name.
   *
   * @param purpose what the cookie is for
   * @param name the cookie's name
   * @param value any text
   * @param secret the key, not empty
   * @return the value, a dot and the signature in base64 without padding
   * @throws IllegalArgumentException when the secret is empty
   */
  public static String sign(String purpose, String name, String value, String secret) {
    return value + '.' + signature(bound(purpose, name, value), secret);
  }

  /**
   * Checks a signed value, in a time that does not tell how much of a wrong signature was right.
   *
   * @param signed what {@link #sign} made, or anything else
   * @param secret the key, not empty
   * @return the value, or null when the signature is wrong or there is none
   * @throws IllegalArgumentException when the secret is empty
   */
  public static @Nullable String unsign(String signed, String secret) {
    String value = value(signed);
    return value != null && isRight(signed, signature(utf8(value), secret)) ? value : null;
  }

  /**
   * Checks a value that was signed for one purpose under one name; see {@link #unsign(String,
   * String)}.
   *
   * @param purpose what the cookie is for
   * @param name the cookie's name
   * @param signed what {@link #sign(String, String, String, String)} made, or anything else
   * @param secret the key, not empty
   * @return the value, or null when the signature is wrong, or for another purpose or name
   * @throws IllegalArgumentException when the secret is empty
   */
  public static @Nullable String unsign(String purpose, String name, String signed, String secret) {
    String value = value(signed);
    boolean right =
        value != null && isRight(signed, signature(bound(purpose, name, value), secret));
    return right ? value : null;
  }

  private static @Nullable String value(String signed) {
    int dot = signed.lastIndexOf('.');
    return dot < 0 ? null : signed.substring(0, dot);
  }

  private static boolean isRight(String signed, String signature) {
    byte[] given = utf8(signed.substring(signed.lastIndexOf('.') + 1));
    return MessageDigest.isEqual(utf8(signature), given);
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
      throw new IllegalArgumentException("the secret of signed cookies must not be empty");
    }
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(utf8(secret), ALGORITHM));
      byte[] digest = mac.doFinal(text);
      return Base64.getEncoder().withoutPadding().encodeToString(digest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime must have " + ALGORITHM, e);
    }
  }
}
