package dev.percolate.logger;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import org.jspecify.annotations.Nullable;

/**
 * Returns one value of a log line, such as the user of a request. See {@link
 * RequestLogger#token(String, Token)}.
 *
 * <p>Any thread may call it while a line is created, and it must not block. If it throws, that line
 * is lost.
 */
@FunctionalInterface
public interface Token {

  /**
   * Returns the value for one line. Text is escaped. Null, empty text, {@code false}, zero and NaN
   * are written as {@code -}.
   *
   * @param req the request
   * @param res the response
   * @param args the text in brackets after the token in a format string, or the arguments that a
   *     format function passed; empty if there are none
   * @return the value, or null
   */
  @Nullable Object value(Request req, Response res, @Nullable Object... args);
}
