package dev.percolate.logger;

import dev.percolate.http.LogText;
import dev.percolate.http.PlainText;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Writes the value of a custom token. */
record UserToken(Token token) implements TokenWriter {

  @Override
  public boolean append(Tokens tokens, StringBuilder out, @Nullable Object[] args) {
    Object value = token.value(tokens.req, tokens.res, args);
    if (value == null || isAbsent(value)) {
      return false;
    }
    out.append(LogText.escape(PlainText.of(value)));
    return true;
  }

  /**
   * Returns the value for format functions, including values that format strings show as absent,
   * such as zero.
   */
  @Override
  public @Nullable String text(Tokens tokens, @Nullable Object[] args) {
    Object value = token.value(tokens.req, tokens.res, args);
    return value == null ? null : LogText.escape(PlainText.of(value));
  }

  /** Returns true if a format string shows the value as absent: empty text, false, zero or NaN. */
  private static boolean isAbsent(Object value) {
    if (value instanceof CharSequence text) {
      return text.length() == 0;
    }
    if (value instanceof BigDecimal number) {
      return number.signum() == 0;
    }
    if (value instanceof BigInteger number) {
      return number.signum() == 0;
    }
    if (value instanceof Number number) {
      return number.doubleValue() == 0 || Double.isNaN(number.doubleValue());
    }
    return value.equals(false);
  }
}
