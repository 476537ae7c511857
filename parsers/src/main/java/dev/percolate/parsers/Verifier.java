package dev.percolate.parsers;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import org.jspecify.annotations.Nullable;

/** Checks the bytes of a body before they are parsed, a signature say. */
@FunctionalInterface
public interface Verifier {

  /**
   * Checks a body, also an empty one; whatever it throws refuses the request.
   *
   * @param req the request; its body is not set yet
   * @param res its response
   * @param bytes the body, inflated; not to be changed
   * @param charset the charset's name in lower case, as the request has it; null for raw bodies
   * @throws Exception refuses the request: an {@link dev.percolate.http.HttpError} with its own
   *     status, anything else with 403
   */
  void verify(Request req, Response res, byte[] bytes, @Nullable String charset) throws Exception;
}
