package dev.percolate.logger;

import org.jspecify.annotations.Nullable;

/** Writes the value of one token straight into a line. */
@FunctionalInterface
interface TokenWriter {

  /**
   * Appends the value, escaped; appends nothing if it is absent, which stands for {@code -}.
   *
   * @return whether something was appended
   */
  boolean append(Tokens tokens, StringBuilder out, @Nullable Object[] args);

  /** Returns the value to a format function: escaped, or null if it is absent. */
  default @Nullable String text(Tokens tokens, @Nullable Object[] args) {
    StringBuilder out = new StringBuilder();
    return append(tokens, out, args) ? out.toString() : null;
  }
}
