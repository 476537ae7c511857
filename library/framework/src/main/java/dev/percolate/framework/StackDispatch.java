package dev.percolate.framework;

import dev.percolate.core.AppContext;
import dev.percolate.core.Dispatch;
import dev.percolate.core.FinalHandler;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.framework.path.CompiledPath;
import dev.percolate.framework.path.MountPath;
import dev.percolate.framework.path.RouteIndex;
import dev.percolate.framework.path.RoutePath;
import dev.percolate.http.HttpError;
import dev.percolate.http.NormalPath;
import dev.percolate.http.Percent;
import dev.percolate.http.Target;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes one request through the layers of an application, or only through its routes.
 *
 * <p>It skips layers that do not match. A matching layer sees the URL without its mount path, which
 * is restored when the layer passes the request on. During the dispatch, views are rendered by its
 * application. Step 3 of docs/flow.md.
 */
final class StackDispatch extends Dispatch implements AppContext {

  private final App app;
  private final Stack.Layers layers;
  // Null for the outermost application.
  private final @Nullable Next out;
  private RouteIndex.@Nullable Candidates candidates;
  private int index;

  // Whether the request or error was passed on by a route.
  private boolean ofRoute;

  // The part of the URL that is hidden from the current layer; empty if it sees the whole URL.
  private String removed = "";
  private boolean slashAdded;

  /** The route lookup for the method of the request, cached. */
  private @Nullable RequestMethod asked;

  // Restored when this dispatch ends; null for a dispatch through routes, which changes nothing.
  private @Nullable AppContext outer;

  StackDispatch(App app, Stack.Layers layers, Request req, Response res, @Nullable Next out) {
    super(req, res);
    this.app = app;
    this.layers = layers;
    this.out = out;
  }

  /** Returns the application that handles the request, or null. */
  static @Nullable App appOf(Request req) {
    return RequestControl.context(req) instanceof StackDispatch dispatch ? dispatch.app : null;
  }

  /** Makes this application the current one of the request, and starts. */
  void enter() {
    outer = RequestControl.context(req);
    RequestControl.context(req, this);
    poweredBy();
    advance(null);
  }

  @Override
  public Settings settings() {
    return app.settings();
  }

  @Override
  public String mountPath() {
    return app.mounting().prefix();
  }

  @Override
  public void render(
      String name,
      Map<String, ?> locals,
      @Nullable BiConsumer<@Nullable Throwable, @Nullable String> callback) {
    app.views()
        .render(name, List.of(res.locals(), locals), callback == null ? this::rendered : callback);
  }

  /** Continues after a route. Later routes may handle its error too. */
  void leave(@Nullable Throwable error) {
    RequestControl.route(req, null);
    ofRoute = true;
    advance(error);
  }

  @Override
  protected String position() {
    return "layer " + number() + " (" + layers.get(index - 1).text() + ")";
  }

  @Override
  protected String origin() {
    return layers.get(index - 1).origin();
  }

  @Override
  protected String step() {
    return "layer " + number() + ", " + layers.get(index - 1).name();
  }

  private long number() {
    return layers.stream().limit(index).filter(one -> !(one instanceof Stack.OptionsLayer)).count();
  }

  /** Sets {@code X-Powered-By} if it is enabled. */
  private void poweredBy() {
    Settings settings = app.settings();
    if (settings.enabled("x-powered-by") && !res.headersSent()) {
      String product = String.valueOf(settings.get(Settings.POWERED_BY));
      res.set("X-Powered-By", Percent.encodeForHeader(product));
    }
  }

  /** Sends the rendered text. An error skips the routes. */
  private void rendered(@Nullable Throwable error, @Nullable String text) {
    if (error == null) {
      res.send(text);
    } else {
      RequestControl.route(req, null);
      divert(error);
    }
  }

  @Override
  protected void advance(@Nullable Throwable passed) {
    Throwable error = passed;
    boolean ofRoutes = ofRoute;
    ofRoute = false;
    if (error == null) { // error handlers can read which route failed
      RequestControl.routePath(req, null);
    }
    restoreUrl();
    for (; ; ) {
      RouteIndex.Candidates found = candidates();
      index = found.next(index);
      if (index >= layers.size()) {
        break;
      }
      RoutePath path = found.path();
      Layer layer = layers.get(index++);
      try {
        if (layer instanceof Mount mount) {
          if (mount.takesErrors() == (error != null) && covers(mount.path(), path, error == null)) {
            cutUrl(mount.path().comparedWith(path), path);
            call(mount.step(), error);
            return;
          }
        } else if (layer instanceof RouteLayer route) {
          if ((error == null || ofRoutes) && took(route, path, error)) {
            return;
          }
        } else if (error == null && answered((Stack.OptionsLayer) layer, path)) {
          return;
        }
      } catch (HttpError rejected) {
        // Thrown by matching; errors of middleware arrive through advance and take precedence.
        if (error == null) {
          error = rejected;
          ofRoutes = false;
        }
      }
    }
    end(error);
  }

  /** Returns the layers that the current path may match. */
  private RouteIndex.Candidates candidates() {
    String path = req.path();
    RouteIndex.Candidates known = candidates;
    if (known == null || !known.areFor(path)) {
      known = layers.candidates(RoutePath.of(path, RequestControl.normalised(req)));
      candidates = known;
    }
    return known;
  }

  private boolean took(RouteLayer route, RoutePath path, @Nullable Throwable error) {
    Route record = rooted() ? route.record(asked()) : null;
    CompiledPath.Match match = record == null ? null : route.path().match(path);
    if (record == null || match == null) {
      return false;
    }
    RequestControl.params(req, match.params());
    boolean called =
        new RouteDispatch(this, route, record, app.paramCallbacks(), req, res).start(error);
    if (!called) {
      RequestControl.route(req, null);
      if (error == null) {
        RequestControl.routePath(req, null);
      }
    }
    return called;
  }

  private boolean answered(Stack.OptionsLayer layer, RoutePath path) {
    String allowed = asked().verb().equals("options") && rooted() ? layer.allowed(path) : "";
    if (allowed.isEmpty()) {
      return false;
    }
    call(Stack.OptionsLayer.answer(allowed), null);
    return true;
  }

  private RequestMethod asked() {
    RequestMethod known = asked;
    if (known == null || !known.method().equals(req.method())) {
      known = RequestMethod.of(req.method());
      asked = known;
    }
    return known;
  }

  /**
   * Returns true if layers at the root may match the path; false for the path of {@code OPTIONS *}.
   */
  private boolean rooted() {
    String path = req.path();
    return path.isEmpty() || path.charAt(0) == '/' || path.charAt(0) == '.';
  }

  /**
   * Returns true if a mount covers the path.
   *
   * @param strict whether to reject ambiguous paths
   * @throws HttpError 400 if the path is rejected
   */
  private static boolean covers(MountPath mount, RoutePath path, boolean strict) {
    boolean covered = mount.covers(path);
    if (strict && mount.isAmbiguous(path, covered)) {
      throw new HttpError(400, "the path is ambiguous", "path.ambiguous", null);
    }
    return covered;
  }

  private void cutUrl(String prefix, RoutePath path) {
    if (prefix.isEmpty()) {
      return;
    }
    String url = req.url();
    int start = Target.pathStart(url);
    int length = path.sentIndex(prefix.length());
    boolean normal = isNormal(url, start);
    int end = start + (normal ? length : NormalPath.sentLength(Target.path(url), length));
    removed = normal && length == prefix.length() ? prefix : url.substring(start, end);
    String rest = url.substring(end);
    slashAdded = !rest.startsWith("/") && (start == 0 || touchesHost(rest));
    req.url(url.substring(0, start) + (slashAdded ? "/" : "") + rest);
  }

  private boolean isNormal(String url, int start) {
    String path = req.path();
    int end = start + path.length();
    return url.startsWith(path, start) && (end == url.length() || isPathEnd(url.charAt(end)));
  }

  /**
   * Returns true if the rest of a path would extend the host before it. Paths that are not
   * normalised may do so, as in Express 3.
   */
  private boolean touchesHost(String rest) {
    return !rest.isEmpty() && !isPathEnd(rest.charAt(0)) && RequestControl.normalised(req);
  }

  private static boolean isPathEnd(char c) {
    return c == '?' || c == '#';
  }

  private void restoreUrl() {
    if (!removed.isEmpty()) {
      String url = req.url();
      int start = Target.pathStart(url);
      int rest = slashAdded && url.startsWith("/", start) ? start + 1 : start;
      req.url(url.substring(0, start) + removed + url.substring(rest));
      removed = "";
    }
  }

  private void end(@Nullable Throwable error) {
    if (outer != null) {
      RequestControl.context(req, outer);
    }
    Next next = out == null ? new FinalHandler(res) : out;
    if (error == null) {
      next.run();
    } else {
      next.fail(error);
    }
  }
}
