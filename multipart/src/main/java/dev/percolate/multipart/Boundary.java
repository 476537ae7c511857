package dev.percolate.multipart;

import org.jspecify.annotations.Nullable;

/** Checks the text that separates parts (RFC 2046 section 5.1.1). */
final class Boundary {

  private static final int GREATEST = 70;
  private static final String SIGNS = "'()+_,-./:=? ";

  private Boundary() {}

  static String check(@Nullable String boundary) {
    if (boundary == null || boundary.isEmpty()) {
      throw Failure.malformed("no boundary", null);
    }
    boolean wrong = boundary.length() > GREATEST || boundary.endsWith(" ");
    if (wrong || !boundary.chars().allMatch(Boundary::isPart)) {
      throw Failure.malformed("a boundary that is none", null);
    }
    return boundary;
  }

  private static boolean isPart(int c) {
    boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (c >= '0' && c <= '9') || SIGNS.indexOf(c) >= 0;
  }
}
