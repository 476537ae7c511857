package dev.percolate.middleware.session;

import java.security.SecureRandom;
import java.util.Base64;

/** Creates random text, such as ids and secrets that cannot be guessed. */
public final class RandomText {

  private static final SecureRandom RANDOM = new SecureRandom();

  private RandomText() {}

  /** Returns random bytes in base64url. */
  public static String of(int bytes) {
    byte[] random = new byte[bytes];
    RANDOM.nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }
}
