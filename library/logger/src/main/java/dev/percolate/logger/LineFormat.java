package dev.percolate.logger;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import org.jspecify.annotations.Nullable;

/**
 * Creates the log line of a request. Format strings compile to this type.
 *
 * <p>Any thread may call it, and it must not block. If it throws, that line is lost.
 */
@FunctionalInterface
public interface LineFormat {

  /**
   * Creates a line without a line feed. The line is written as is; only token values are escaped.
   *
   * @param tokens returns token values by name
   * @param req the request
   * @param res the response
   * @return the line, possibly empty; null to write none
   */
  @Nullable Object line(Tokens tokens, Request req, Response res);
}
