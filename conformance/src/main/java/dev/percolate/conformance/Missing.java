package dev.percolate.conformance;

/** Says that a scenario uses what the project, or the player, does not have. */
final class Missing extends RuntimeException {

  private static final long serialVersionUID = 1L;

  Missing(String what) {
    super("no " + what);
  }
}
