package dev.percolate.framework;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import java.util.function.Supplier;

/**
 * The place of an application's routes among its layers, where it was chosen by hand.
 *
 * @param routes gives the routes as they are now
 * @param dispatch leads a request along them
 */
record RouterPlace(Supplier<Stack.Layers> routes, Middleware dispatch) implements Middleware {

  @Override
  public void handle(Request req, Response res, Next next) throws Exception {
    dispatch.handle(req, res, next);
  }
}
