package dev.percolate.parsers;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import org.jspecify.annotations.Nullable;

/** Checks the bytes of a body before parsing, for example a signature. */
@FunctionalInterface
public interface Verifier {

  /**
   * Checks a body, which may be empty. An exception rejects the request.
   *
   * @param req the request; its body is not set yet
   * @param res the response
   * @param bytes the decompressed body, which must not be changed
   * @param charset the charset that the request names, in lowercase; null for raw bodies
   * @throws Exception to reject the request: an {@link dev.percolate.http.HttpError} with its own
   *     status, other exceptions with 403
   */
  void verify(Request req, Response res, byte[] bytes, @Nullable String charset) throws Exception;
}
