package dev.percolate.middleware;

import dev.percolate.core.Request;
import dev.percolate.http.LogText;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Explains in the log, once for each middleware and its copies, why a secure cookie is not sent
 * over plain HTTP: otherwise sessions are lost without a trace.
 */
final class SecureCookieNotice {

  private static final System.Logger LOG = System.getLogger("dev.percolate.middleware");

  private final String middleware;
  private final Consumer<String> log;
  private final AtomicBoolean given = new AtomicBoolean();

  /**
   * Creates a notice.
   *
   * @param middleware the name of the middleware
   */
  SecureCookieNotice(String middleware) {
    this(middleware, text -> LOG.log(Level.WARNING, text));
  }

  /** Creates a notice with another log. */
  SecureCookieNotice(String middleware, Consumer<String> log) {
    this.middleware = middleware;
    this.log = log;
  }

  /**
   * Explains a cookie that is not sent, unless one was explained already.
   *
   * @param cookie the cookie's name
   * @param byTrust whether the setting {@code trust proxy} decides, and not the option {@code
   *     proxy}
   */
  void note(Request req, String cookie, boolean byTrust) {
    if (!given.compareAndSet(false, true)) {
      return;
    }
    String reported = req.get("X-Forwarded-Proto");
    String proxy = byTrust ? "app.set(\"trust proxy\", ADDRESS_OF_THE_PROXY)" : ".proxy(true)";
    String cure =
        reported == null
            ? "Serve HTTPS. If a proxy does, let it send X-Forwarded-Proto, and call " + proxy
            : "A proxy sent X-Forwarded-Proto: "
                + LogText.escape(reported)
                + ", which is not trusted or not https. To trust it, call "
                + proxy;
    log.accept(
        middleware
            + ": the cookie \""
            + cookie
            + "\" is secure, but the request came over plain HTTP. The cookie was not sent, and"
            + " the session is lost. "
            + cure
            + ". For plain HTTP in development, set .cookie(c -> c.secure(false)).");
  }
}
