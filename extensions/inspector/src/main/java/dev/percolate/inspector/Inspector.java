package dev.percolate.inspector;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.RejectionListener;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.http.Forwarded;
import dev.percolate.http.Trust;

/**
 * Request inspector for development. Shows the last requests at {@code /_percolate}, live, each
 * with a timeline of its middleware and handlers, and all layers of the application. Adds error
 * pages, 404 pages that explain why no route matched, and the header {@code Server-Timing}, so that
 * the developer tools of browsers show the time of each middleware and handler. Coding agents get
 * the same data with the Model Context Protocol (MCP) at {@code /_percolate/mcp}.
 *
 * <pre>{@code
 * app.use(Inspector.inDevelopment()); // first: it shows only the middleware after it
 * }</pre>
 *
 * <p>It is active only in the environment {@code development}, for clients on this machine and
 * without a proxy. Pages of other origins can neither read nor control it, since the headers {@code
 * Host} and {@code Origin} must name this machine. Programs on this machine can send requests
 * through it.
 *
 * <p>Keeps at most 200 requests and 10 MB in memory. Values of headers, parameters and fields whose
 * names indicate secrets are masked. In every environment, it writes the events {@code
 * dev.percolate.Request} and {@code dev.percolate.Step} if a recording of the JDK Flight Recorder
 * enables them. They are disabled by default.
 */
public final class Inspector implements Middleware, RejectionListener {

  private static final Trust LOOPBACK = Trust.of("loopback");

  private final Recordings recordings = new Recordings();
  private final InspectorSite site = new InspectorSite(recordings);

  private Inspector() {}

  /** Creates an inspector that is active only in development. */
  public static Inspector inDevelopment() {
    return new Inspector();
  }

  @Override
  public void handle(Request req, Response res, Next next) throws Exception {
    boolean visible = isVisible(req);
    if (visible) {
      LogTail.ofProcess().attach();
    }
    if (visible && InspectorSite.covers(req.path())) {
      site.handle(req, res);
      return;
    }
    if (visible || StepEvent.isOn() || Timeline.RequestEvent.isOn()) {
      record(req, res, new Timeline(req, visible), visible);
    }
    next.run();
  }

  private void record(Request req, Response res, Timeline line, boolean visible) {
    RequestControl.trace(req, line);
    if (!visible) {
      res.onFinish(line::finish);
      return;
    }
    recordings.add(line);
    MemoryRequest.recorded(line.id);
    res.onHeaders(() -> res.append(ServerTiming.HEADER, line.serverTiming()));
    res.onFinish(
        () -> {
          line.finish();
          recordings.changed(line);
        });
    res.onConnectionClose(
        how -> {
          line.closed(how);
          recordings.changed(line);
        });
  }

  @Override
  public void onRejected(Request req, Response res) {
    if (res.status() >= 400 && isVisible(req)) {
      recordings.rejected(res.status());
    }
  }

  private static boolean isVisible(Request req) {
    return "development".equals(req.settings().get(Settings.ENV))
        && !Settings.processEnv().equals("production")
        && LOOPBACK.trusts(req.remoteAddress(), 0)
        && !Forwarded.isThroughProxy(req.headers())
        && !"none".equals(req.settings().get(Settings.STACK_TRACES));
  }
}
