package dev.percolate.core;

/**
 * Observes the requests that an engine, or {@link Request#admit}, rejects before they enter the
 * chain, and {@code OPTIONS *}, to which the server itself responds with 200.
 *
 * <p>A malformed or oversized head is answered by the engine itself. It is then shown, once, to
 * each layer that implements this interface and is mounted at {@code /} of the outermost
 * application, or is a step of {@link Chain#service} or of a filter. Request loggers do, so that no
 * request is missing in their lines.
 */
public interface RefusalListener {

  /**
   * Observes a request to which the server has responded; must neither respond nor block.
   *
   * @param req the request as far as it could be read; what could not is empty
   * @param res the answer that the engine gave: its status, already started
   */
  void refused(Request req, Response res);
}
