package dev.percolate.logger;

import dev.percolate.core.Settings;
import dev.percolate.http.LogText;
import dev.percolate.http.PlainText;
import org.jspecify.annotations.Nullable;

/** Writes the value of a custom token. */
record UserToken(Token token) implements TokenWriter {

  @Override
  public boolean append(Tokens tokens, StringBuilder out, @Nullable Object[] args) {
    Object value = token.value(tokens.req, tokens.res, args);
    String text = value == null ? "" : PlainText.of(value);
    if (text.isEmpty() || !Settings.truthy(value)) {
      return false;
    }
    out.append(LogText.escape(text));
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
}
