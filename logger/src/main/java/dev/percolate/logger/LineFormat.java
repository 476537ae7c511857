package dev.percolate.logger;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import org.jspecify.annotations.Nullable;

/**
 * Writes the line of one request; format strings compile to one.
 *
 * <p>It is called by any thread and must not block. What it throws loses that one line.
 */
@FunctionalInterface
public interface LineFormat {

  /**
   * Creates a line, without a line feed. It is written as it is: only what the tokens give is
   * escaped.
   *
   * @param tokens gives the values of tokens by their names
   * @param req the request
   * @param res its response
   * @return the line, perhaps empty; null for none
   */
  @Nullable Object line(Tokens tokens, Request req, Response res);
}
