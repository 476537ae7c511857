package dev.percolate.auth;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * A hash of a password with its parameters, in the PHC string format: {@code
 * $argon2id$v=19$m=19456,t=2,p=1$SALT$HASH}.
 */
final class PasswordHash {

  private static final Pattern FORMAT =
      Pattern.compile(
          "\\$argon2id\\$v=19\\$m=([1-9]\\d{0,6}),t=([1-9]\\d{0,2}),p=([1-9]\\d{0,2})"
              + "\\$([A-Za-z0-9+/]{11,86})\\$([A-Za-z0-9+/]{22,86})");

  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final PasswordCost cost;
  private final byte[] salt;
  private final byte[] hash;

  private PasswordHash(PasswordCost cost, byte[] salt, byte[] hash) {
    this.cost = cost;
    this.salt = salt;
    this.hash = hash;
  }

  /** Computes the hash of a password with a new salt. */
  static PasswordHash of(byte[] password, PasswordCost cost) {
    byte[] salt = new byte[SALT_BYTES];
    RANDOM.nextBytes(salt);
    return new PasswordHash(cost, salt, compute(password, cost, salt, HASH_BYTES));
  }

  /**
   * Parses a stored hash.
   *
   * @throws IllegalArgumentException if it has another format, or parameters that would need too
   *     much memory or time; the message does not contain it
   */
  static PasswordHash parse(String stored) {
    Matcher parts = FORMAT.matcher(stored);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "stored hash must have the format $argon2id$v=19$m=…,t=…,p=…$SALT$HASH");
    }
    PasswordCost cost =
        new PasswordCost(
            Integer.parseInt(parts.group(1)),
            Integer.parseInt(parts.group(2)),
            Integer.parseInt(parts.group(3)));
    Base64.Decoder base64 = Base64.getDecoder();
    return new PasswordHash(cost, base64.decode(parts.group(4)), base64.decode(parts.group(5)));
  }

  PasswordCost cost() {
    return cost;
  }

  /** Returns true if a password has this hash. The time does not depend on the difference. */
  boolean isOf(byte[] password) {
    return MessageDigest.isEqual(hash, compute(password, cost, salt, hash.length));
  }

  private static byte[] compute(byte[] password, PasswordCost cost, byte[] salt, int length) {
    Argon2BytesGenerator generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(cost.kibibytes())
            .withIterations(cost.iterations())
            .withParallelism(cost.parallelism())
            .withSalt(salt)
            .build());
    byte[] hash = new byte[length];
    int unused = generator.generateBytes(password, hash);
    return hash;
  }

  /** Returns the string to be stored. */
  String text() {
    Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
    return "$argon2id$v=19$m="
        + cost.kibibytes()
        + ",t="
        + cost.iterations()
        + ",p="
        + cost.parallelism()
        + '$'
        + base64.encodeToString(salt)
        + '$'
        + base64.encodeToString(hash);
  }
}
