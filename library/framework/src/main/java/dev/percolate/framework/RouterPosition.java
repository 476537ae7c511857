package dev.percolate.framework;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import java.util.function.Supplier;

/**
 * The position of an application's routes among its layers, if {@link App#router} set it.
 *
 * @param routes returns the current routes
 * @param dispatch passes a request to the routes
 */
record RouterPosition(Supplier<Stack.Layers> routes, Middleware dispatch) implements Middleware {

  @Override
  public void handle(Request req, Response res, Next next) throws Exception {
    dispatch.handle(req, res, next);
  }
}
