package dev.percolate.demo;

import java.security.SecureRandom;
import java.util.Base64;

/** Makes texts that nobody can guess. */
final class Nonce {

  private static final SecureRandom RANDOM = new SecureRandom();

  private Nonce() {}

  /**
   * Makes a text of letters, digits, hyphens and underscores.
   *
   * @param bytes how many random bytes it holds
   */
  static String next(int bytes) {
    byte[] random = new byte[bytes];
    RANDOM.nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }
}
