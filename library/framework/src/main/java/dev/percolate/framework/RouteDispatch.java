package dev.percolate.framework;

import dev.percolate.core.Dispatch;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Response;
import dev.percolate.framework.path.CompiledPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passes one request through a matching route: first the parameter callbacks, then the middleware
 * and handlers. Step 6 of docs/flow.md.
 */
final class RouteDispatch extends Dispatch {

  private final StackDispatch out;
  private final Route route;
  private final List<Middleware> steps;
  private final CompiledPath path;
  private final ParamCallbacks params;
  private int step;

  // The parameter whose callbacks run: its number from 1, the callbacks, its value.
  private int key;
  private List<ParamCallback> callbacks = List.of();
  private int callback;
  private String value = "";

  RouteDispatch(
      StackDispatch out,
      RouteLayer layer,
      Route route,
      ParamCallbacks params,
      Request req,
      Response res) {
    super(req, res);
    this.out = out;
    this.route = route;
    this.steps = layer.steps();
    this.path = layer.path();
    this.params = params;
  }

  /**
   * Starts the route. If an error is pending, parameter callbacks do not run.
   *
   * @return false if the route has nothing to call, so the search continues
   */
  boolean start(@Nullable Throwable error) {
    if (params.isEmpty()) {
      skipParameters();
    }
    Middleware first = next(error);
    if (first != null) {
      call(first, error);
    }
    return first != null;
  }

  @Override
  protected void advance(@Nullable Throwable error) {
    Middleware next = next(error);
    if (next == null) {
      out.leave(error);
    } else {
      call(next, error);
    }
  }

  @Override
  protected void leaveRoute() {
    out.leave(null);
  }

  @Override
  protected String position() {
    String where = step == 0 ? "parameters" : "step " + step + " of " + steps.size();
    return out.position() + ", " + where;
  }

  @Override
  protected String origin() {
    return out.origin();
  }

  @Override
  protected String step() {
    String part =
        step == 0
            ? ", its parameters"
            : steps.size() == 1 ? "" : ", step " + step + " of " + steps.size();
    return out.step() + part;
  }

  private @Nullable Middleware next(@Nullable Throwable error) {
    RequestControl.route(req, route); // middleware may have run other routes
    if (error != null) {
      skipParameters();
    } else {
      RequestControl.routePath(req, path.toString());
      Middleware parameter = nextParameter();
      if (parameter != null) {
        return parameter;
      }
    }
    while (step < steps.size()) {
      Middleware next = steps.get(step++);
      if (next instanceof ErrorHandler == (error != null)) {
        return next;
      }
    }
    return null;
  }

  private void skipParameters() {
    key = path.names().size();
    callback = callbacks.size();
  }

  /** Returns the next parameter callback as middleware; null if there is none. */
  private @Nullable Middleware nextParameter() {
    List<String> names = path.names();
    while (callback == callbacks.size()) {
      if (key == names.size()) {
        return null;
      }
      String name = names.get(key++);
      String present = req.params().get(name);
      value = present == null ? "" : present;
      callbacks = present == null ? List.of() : params.of(name);
      callback = 0;
    }
    ParamCallback next = callbacks.get(callback++);
    String name = names.get(key - 1);
    String current = value;
    return (rq, rs, passOn) -> next.handle(rq, rs, passOn, current, name);
  }
}
