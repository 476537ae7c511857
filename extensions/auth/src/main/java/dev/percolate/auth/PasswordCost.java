package dev.percolate.auth;

/**
 * The cost of hashing a password with Argon2id.
 *
 * @param kibibytes the memory, in KiB
 * @param iterations the number of passes over the memory
 * @param parallelism the number of lanes
 */
record PasswordCost(int kibibytes, int iterations, int parallelism) {

  private static final int MOST_KIBIBYTES = 1 << 20;
  private static final int MOST_ITERATIONS = 100;
  private static final int MOST_LANES = 16;

  PasswordCost {
    check("memory in KiB", kibibytes, MOST_KIBIBYTES);
    check("iterations", iterations, MOST_ITERATIONS);
    check("parallelism", parallelism, MOST_LANES);
  }

  private static void check(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(option + " must be 1 to " + most + ", was " + value);
    }
  }
}
