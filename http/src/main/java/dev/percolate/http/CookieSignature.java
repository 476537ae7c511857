package dev.percolate.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Signs the values of cookies with HMAC-SHA256, and checks such signatures. */
public final class CookieSignature {
  private static final String ALGORITHM = "HmacSHA256";

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
    return value + '.' + signature(value, secret);
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
    int dot = signed.lastIndexOf('.');
    if (dot < 0) {
      return null;
    }
    String value = signed.substring(0, dot);
    byte[] right = signature(value, secret).getBytes(StandardCharsets.UTF_8);
    byte[] given = signed.substring(dot + 1).getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(right, given) ? value : null;
  }

  private static String signature(String value, String secret) {
    if (secret.isEmpty()) {
      throw new IllegalArgumentException("the secret of signed cookies must not be empty");
    }
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      byte[] digest = mac.doFinal(value.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().withoutPadding().encodeToString(digest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime must have " + ALGORITHM, e);
    }
  }
}
