package dev.percolate.logger;

import org.jspecify.annotations.Nullable;

/** Writes the value of a token directly into a line. */
@FunctionalInterface
interface TokenWriter {

  /**
   * Appends the escaped value; nothing if it is absent, in which case the format writes {@code -}.
   *
   * @return whether something was appended
   */
  boolean append(Tokens tokens, StringBuilder out, @Nullable Object[] args);

  /** Returns the escaped value for a format function, or null if it is absent. */
  default @Nullable String text(Tokens tokens, @Nullable Object[] args) {
    StringBuilder out = new StringBuilder();
    return append(tokens, out, args) ? out.toString() : null;
  }
}
