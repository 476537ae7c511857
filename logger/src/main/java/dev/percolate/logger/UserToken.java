package dev.percolate.logger;

import dev.percolate.http.LogText;
import dev.percolate.http.PlainText;
import org.jspecify.annotations.Nullable;

/** Writes the value of a token of the user's. */
record UserToken(Token token) implements TokenWriter {

  @Override
  public boolean append(Tokens tokens, StringBuilder out, @Nullable Object[] args) {
    Object value = token.value(tokens.req, tokens.res, args);
    if (value == null || LineValue.isAbsent(value)) {
      return false;
    }
    out.append(LogText.escape(PlainText.of(value)));
    return true;
  }

  /** Gives a format function also what a format string would show as absent, zero for instance. */
  @Override
  public @Nullable String text(Tokens tokens, @Nullable Object[] args) {
    Object value = token.value(tokens.req, tokens.res, args);
    return value == null ? null : LogText.escape(PlainText.of(value));
  }
}
