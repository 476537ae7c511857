package dev.percolate.framework;

import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;

/** Prepares a request for a route by the value of a path parameter, whatever its name. */
@FunctionalInterface
public interface ParamHandler extends ParamCallback {

  /**
   * Handles a parameter, then passes on to the route; or fails, or leaves the route.
   *
   * @param req the request
   * @param res its response
   * @param next passes on; to be called once at most
   * @param value the decoded value
   * @throws Exception for any failure; it goes to the error handlers
   */
  void handle(Request req, Response res, Next next, String value) throws Exception;

  @Override
  default void handle(Request req, Response res, Next next, String value, String name)
      throws Exception {
    handle(req, res, next, value);
  }
}
