package dev.percolate.logger;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import org.jspecify.annotations.Nullable;

/**
 * Supplies one value of a line, such as the user of a request; see {@link
 * RequestLogger#token(String, Token)}.
 *
 * <p>It is called when a line is made, by any thread, and must not block. What it throws loses that
 * one line.
 */
@FunctionalInterface
public interface Token {

  /**
   * Returns the value for one line. As text it is escaped; null, empty text, {@code false}, zero
   * and NaN are written as {@code -}.
   *
   * @param req the request
   * @param res its response
   * @param args the text in brackets behind the token in a format string, or whatever a format
   *     function passed; none if there was nothing
   * @return the value, or null
   */
  @Nullable Object value(Request req, Response res, @Nullable Object... args);
}
