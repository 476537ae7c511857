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
 *
 * @param cost the cost of computing it
 * @param salt the salt in base64
 * @param hash the hash in base64
 */
record PasswordHash(Cost cost, String salt, String hash) {

  private static final String PREFIX = "$argon2id$v=19$";

  private static final Pattern FORMAT =
      Pattern.compile(
          Pattern.quote(PREFIX)
              + "m=([1-9]\\d{0,6}),t=([1-9]\\d{0,2}),p=([1-9]\\d{0,2})"
              + "\\$([A-Za-z0-9+/]{11,86})\\$([A-Za-z0-9+/]{22,86})");

  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * The cost of hashing a password with Argon2id.
   *
   * @param kibibytes the memory, in KiB
   * @param iterations the number of passes over the memory
   * @param lanes the number of lanes
   */
  record Cost(int kibibytes, int iterations, int lanes) {

    Cost {
      check("memory in KiB", kibibytes, 1, 1 << 20);
      check("iterations", iterations, 1, 100);
      check("parallelism", lanes, 1, 16);
    }

    static void check(String option, int value, int least, int most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            option + " must be " + least + " to " + most + ", was " + value);
      }
    }

    @Override
    public String toString() {
      return "m=" + kibibytes + ",t=" + iterations + ",p=" + lanes;
    }
  }

  /** Rejects invalid base64 of a stored hash. */
  PasswordHash {
    int ignored = bytes(salt).length + bytes(hash).length;
  }

  private static byte[] bytes(String base64) {
    return Base64.getDecoder().decode(base64);
  }

  /** Computes the hash of a password with a new salt. */
  static PasswordHash of(byte[] password, Cost cost) {
    byte[] salt = new byte[SALT_BYTES];
    RANDOM.nextBytes(salt);
    Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
    byte[] hash = compute(password, cost, salt, HASH_BYTES);
    return new PasswordHash(cost, base64.encodeToString(salt), base64.encodeToString(hash));
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
    int kibibytes = Integer.parseInt(parts.group(1));
    int iterations = Integer.parseInt(parts.group(2));
    Cost cost = new Cost(kibibytes, iterations, Integer.parseInt(parts.group(3)));
    return new PasswordHash(cost, parts.group(4), parts.group(5));
  }

  /** Returns true if a password has this hash. The time does not depend on the difference. */
  boolean isOf(byte[] password) {
    byte[] right = bytes(hash);
    return MessageDigest.isEqual(right, compute(password, cost, bytes(salt), right.length));
  }

  private static byte[] compute(byte[] password, Cost cost, byte[] salt, int length) {
    Argon2BytesGenerator generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(cost.kibibytes())
            .withIterations(cost.iterations())
            .withParallelism(cost.lanes())
            .withSalt(salt)
            .build());
    byte[] hash = new byte[length];
    int unused = generator.generateBytes(password, hash);
    return hash;
  }

  /** Returns the string to be stored. */
  @Override
  public String toString() {
    return PREFIX + cost + '$' + salt + '$' + hash;
  }
}
