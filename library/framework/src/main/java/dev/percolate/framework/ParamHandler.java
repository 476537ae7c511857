package dev.percolate.framework;

import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;

/** Handles the value of a path parameter before a route runs. */
@FunctionalInterface
public interface ParamHandler extends ParamCallback {

  /**
   * Handles a parameter. Call {@code next.run()} to continue with the route, {@code next.route()}
   * to skip it, or throw to fail.
   *
   * @param req the request
   * @param res its response
   * @param next continues; must be called at most once
   * @param value the decoded value
   * @throws Exception on any failure; error handlers receive it
   */
  void handle(Request req, Response res, Next next, String value) throws Exception;

  @Override
  default void handle(Request req, Response res, Next next, String value, String name)
      throws Exception {
    handle(req, res, next, value);
  }
}
