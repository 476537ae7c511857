package dev.percolate.http;

import java.net.IDN;
import org.jspecify.annotations.Nullable;

/** Writes names of hosts in ASCII (RFC 5890 section 2.3). */
final class DomainName {
  private static final int FLAGS = IDN.ALLOW_UNASSIGNED | IDN.USE_STD3_ASCII_RULES;

  /** {@link IDN} maps these to other names than browsers do (RFC 5894 section 7.2). */
  private static final String DEVIATIONS = "\u00df\u1e9e\u03c2\u200c\u200d";

  private DomainName() {}

  /**
   * Returns the A-labels of a name that is not ASCII.
   *
   * @param name the name of a host, without a port
   * @return the name in ASCII; null if it is ASCII already, no name of a host, or one that clients
   *     disagree about
   */
  static @Nullable String toAscii(String name) {
    boolean ascii = name.chars().allMatch(c -> c < 0x80);
    if (ascii || name.chars().anyMatch(c -> DEVIATIONS.indexOf(c) >= 0)) {
      return null;
    }
    try {
      return IDN.toASCII(name, FLAGS);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
