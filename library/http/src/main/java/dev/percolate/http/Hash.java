package dev.percolate.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Hash functions that every Java runtime supports. */
public final class Hash {

  private Hash() {}

  /**
   * Creates a hash function that every Java runtime supports.
   *
   * @param algorithm {@code SHA-256}, {@code SHA-1} or {@code MD5}
   */
  public static MessageDigest of(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime must support " + algorithm, e);
    }
  }

  /** Returns the SHA-256 hash of a text, in base64url without padding. */
  public static String sha256(String text) {
    byte[] digest = of("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
  }
}
