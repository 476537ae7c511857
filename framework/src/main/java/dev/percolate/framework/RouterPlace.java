package dev.percolate.framework;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;

/**
 * The place of an application's routes among its layers, where it was chosen by hand.
 *
 * @param app the application
 */
record RouterPlace(App app) implements Middleware {

  @Override
  public void handle(Request req, Response res, Next next) {
    new StackDispatch(app, app.layers().place(), req, res, next).start();
  }
}
