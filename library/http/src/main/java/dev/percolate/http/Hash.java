package dev.percolate.http;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Creates hash functions. */
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
}
