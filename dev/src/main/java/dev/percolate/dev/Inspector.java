package dev.percolate.dev;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.RefusalListener;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.http.Forwarded;
import dev.percolate.http.Trust;

/**
 * Shows a developer what happens: at {@code /_percolate} the last requests, live, each as a time
 * line of its steps, and all layers of the application; and pages that explain errors, and why no
 * route took a request.
 *
 * <pre>{@code
 * app.use(Inspector.inDevelopment()); // above all others: it sees the steps behind it
 * }</pre>
 *
 * <p>It is there in the environment {@code development} only, and for clients on this machine whose
 * requests no proxy has passed on; for all others it is not, at the cost of looking at the setting.
 * Pages of other origins can neither read nor steer it: the header {@code Host} must name this
 * machine, and {@code Origin} the same.
 *
 * <p>At most 200 requests and 10 MB are kept, in memory. Values of headers, parameters and fields
 * whose names speak of secrets are masked. While a recording of the JDK's Flight Recorder has the
 * events {@code dev.percolate.Request} and {@code dev.percolate.Step} enabled, they are written, in
 * every environment; they are not by default.
 */
public final class Inspector implements Middleware, RefusalListener {

  private static final Trust LOOPBACK = Trust.of("loopback");

  private final Recordings recordings = new Recordings();
  private final InspectorSite site = new InspectorSite(recordings);

  private Inspector() {}

  /** Creates an inspector, which is there in development only. */
  public static Inspector inDevelopment() {
    return new Inspector();
  }

  @Override
  public void handle(Request req, Response res, Next next) throws Exception {
    boolean visible = isVisible(req);
    if (visible && InspectorSite.covers(req.path())) {
      site.handle(req, res);
      return;
    }
    if (visible || StepEvent.isOn()) {
      record(req, res, new TimeLine(req, visible), visible);
    }
    next.run();
  }

  private void record(Request req, Response res, TimeLine line, boolean visible) {
    req.trace(line);
    if (!visible) {
      res.onFinish(line::finish);
      return;
    }
    recordings.add(line);
    res.onFinish(
        () -> {
          line.finish();
          recordings.changed(line);
        });
    res.onClosing(
        how -> {
          line.closed(how);
          recordings.changed(line);
        });
  }

  @Override
  public void refused(Request req, Response res) {
    if (res.status() >= 400 && isVisible(req)) {
      recordings.refused(res.status());
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
