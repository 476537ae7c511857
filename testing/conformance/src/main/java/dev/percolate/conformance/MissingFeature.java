package dev.percolate.conformance;

/** Thrown if a scenario uses a feature that the project or the player does not have. */
final class MissingFeature extends RuntimeException {

  private static final long serialVersionUID = 1L;

  MissingFeature(String what) {
    super("no " + what);
  }
}
