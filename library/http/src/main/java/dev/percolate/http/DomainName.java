package dev.percolate.http;

import java.net.IDN;
import org.jspecify.annotations.Nullable;

/** Converts host names to ASCII (RFC 5890 section 2.3). */
final class DomainName {
  private static final int FLAGS = IDN.ALLOW_UNASSIGNED | IDN.USE_STD3_ASCII_RULES;

  /** {@link IDN} maps these differently from browsers (RFC 5894 section 7.2). */
  private static final String DEVIATIONS = "\u00df\u1e9e\u03c2\u200c\u200d";

  private DomainName() {}

  /**
   * Returns the A-labels of a host name outside ASCII.
   *
   * @param name the host name, without a port
   * @return the name in ASCII; null if it already is ASCII, is invalid, or is converted differently
   *     by browsers
   */
  static @Nullable String toAscii(String name) {
    if (Ascii.isAscii(name) || name.chars().anyMatch(c -> DEVIATIONS.indexOf(c) >= 0)) {
      return null;
    }
    try {
      return IDN.toASCII(name, FLAGS);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
