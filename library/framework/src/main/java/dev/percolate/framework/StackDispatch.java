package dev.percolate.framework;

import dev.percolate.core.AppContext;
import dev.percolate.core.Dispatch;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.http.HttpError;
import dev.percolate.http.NormalPath;
import dev.percolate.http.Percent;
import dev.percolate.http.Target;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Leads one request along the layers of an application, or along its routes alone.
 *
 * <p>It loops over layers that do not match. To one that does it shows the request as the layer
 * should see it, without the mount path, and takes that back when the layer has passed on. While it
 * lasts, what the steps render are views of its application. Step 3 of docs/flow.md.
 */
final class StackDispatch extends Dispatch implements AppContext {

  private final App app;
  private final Stack.Layers layers;
  private final Next out;
  private @Nullable LayerCursor candidates;
  private int index;

  // Whether what goes on comes from a route.
  private boolean ofRoute;

  // The layer at work sees the url without this; empty if it is shown as it is.
  private String removed = "";
  private boolean slashAdded;

  /** What the method asks for, as it was when it was read last. */
  private @Nullable RequestMethod asked;

  // What holds again when this dispatch ends; null for a dispatch along routes, which changes
  // nothing.
  private @Nullable AppContext outer;

  StackDispatch(App app, Stack.Layers layers, Request req, Response res, Next out) {
    super(req, res);
    this.app = app;
    this.layers = layers;
    this.out = out;
  }

  /** Returns the application at work, or null. */
  static @Nullable App appOf(Request req) {
    return req.scope() instanceof StackDispatch dispatch ? dispatch.app : null;
  }

  /** Makes the application the one at work, and starts. */
  void enter() {
    outer = req.scope();
    req.scope(this);
    poweredBy();
    start();
  }

  /** Starts. */
  void start() {
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

  @Override
  protected String position() {
    return layer();
  }

  /** Goes on behind a route, whose error the routes that follow may deal with, too. */
  void leave(@Nullable Throwable error) {
    req.route(null);
    ofRoute = true;
    advance(error);
  }

  /** Returns which layer was called last, for people. */
  String layer() {
    return "layer " + number() + " (" + layers.get(index - 1) + ")";
  }

  @Override
  protected String origin() {
    return layers.get(index - 1).origin();
  }

  @Override
  protected String step() {
    return "layer " + number() + ", " + layers.get(index - 1).name();
  }

  private int number() {
    int number = 0;
    for (int i = 0; i < index; i++) {
      number += layers.get(i) instanceof Stack.OptionsLayer ? 0 : 1;
    }
    return number;
  }

  /** Sets the header, if it is enabled. */
  private void poweredBy() {
    Settings settings = app.settings();
    if (settings.enabled("x-powered-by") && !res.headersSent()) {
      String product = String.valueOf(settings.get(Settings.POWERED_BY));
      res.set("X-Powered-By", Percent.encodeForHeader(product));
    }
  }

  /** Answers with what was rendered; an error passes the routes by. */
  private void rendered(@Nullable Throwable error, @Nullable String text) {
    if (error == null) {
      res.send(text);
    } else {
      req.route(null);
      divert(error);
    }
  }

  @Override
  protected void advance(@Nullable Throwable passed) {
    Throwable error = passed;
    boolean ofRoutes = ofRoute;
    ofRoute = false;
    if (error == null) { // else it tells error handlers which route has failed
      req.routePath(null);
    }
    restoreUrl();
    for (; ; ) {
      LayerCursor cursor = candidates();
      index = cursor.next(index);
      if (index >= layers.size()) {
        break;
      }
      RoutePath path = cursor.path();
      Layer layer = layers.get(index++);
      try {
        if (layer instanceof Mount mount) {
          if (mount.takesErrors() == (error != null) && covers(mount, path, error == null)) {
            cutUrl(mount.prefix(path.isDecoded()), path);
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
      } catch (HttpError refused) {
        // Of matching: what steps throw comes back by advance.
        error = refused;
        ofRoutes = false;
      }
    }
    end(error);
  }

  /** Returns the layers that the path, as it is now, may reach. */
  private LayerCursor candidates() {
    String path = req.path();
    LayerCursor known = candidates;
    if (known == null || !known.areOf(path)) {
      known = layers.candidates(RoutePath.of(path, req.normalised()));
      candidates = known;
    }
    return known;
  }

  private boolean took(RouteLayer route, RoutePath path, @Nullable Throwable error) {
    Route record = rooted() ? route.record(asked()) : null;
    PathPattern.Match match = record == null ? null : route.pattern().match(path);
    if (record == null || match == null) {
      return false;
    }
    req.params(match.params());
    boolean called =
        new RouteDispatch(this, route, record, app.paramCallbacks(), req, res).start(error);
    if (!called) {
      req.route(null);
      if (error == null) {
        req.routePath(null);
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
   * Tells whether the path is one that layers at the root see; that of {@code OPTIONS *} is not.
   */
  private boolean rooted() {
    String path = req.path();
    return path.isEmpty() || path.charAt(0) == '/' || path.charAt(0) == '.';
  }

  /**
   * Tells whether a mount covers the path.
   *
   * @param strict whether a path is refused of which that is in doubt
   * @throws HttpError 400 if it is refused
   */
  private static boolean covers(Mount mount, RoutePath path, boolean strict) {
    String prefix = mount.prefix(path.isDecoded());
    boolean covered = Mount.covers(prefix, path.text());
    boolean clear = !covered && !path.isEscaped() && !mount.isDotted();
    if (strict
        && !clear
        && !prefix.isEmpty()
        && path.isDecoded()
        && mount.isAmbiguous(path, covered)) {
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

  /** Tells whether a path that is left would change the host in front of it, as is recorded. */
  private boolean touchesHost(String rest) {
    return !rest.isEmpty() && !isPathEnd(rest.charAt(0)) && req.normalised();
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
      req.scope(outer);
    }
    if (error == null) {
      out.run();
    } else {
      out.fail(error);
    }
  }
}
