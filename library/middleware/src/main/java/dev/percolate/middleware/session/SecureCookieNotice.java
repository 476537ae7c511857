package dev.percolate.middleware.session;

import dev.percolate.core.Request;
import dev.percolate.http.LogText;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Logs a warning if a secure cookie is not sent because the request came over plain HTTP. Logged
 * once for each middleware and its copies.
 */
public final class SecureCookieNotice {

  private static final System.Logger LOG = System.getLogger("dev.percolate.middleware");

  private final String middleware;
  private final Consumer<String> log;
  private final AtomicBoolean given = new AtomicBoolean();

  /**
   * Creates a notice.
   *
   * @param middleware the name of the middleware
   */
  public SecureCookieNotice(String middleware) {
    this(middleware, text -> LOG.log(Level.WARNING, text));
  }

  /** Creates a notice that logs to a consumer. */
  public SecureCookieNotice(String middleware, Consumer<String> log) {
    this.middleware = middleware;
    this.log = log;
  }

  /**
   * Logs the warning, unless it was logged before.
   *
   * @param cookie the name of the cookie
   * @param byTrust true if the setting {@code trust proxy} applies, false for the option {@code
   *     proxy}
   */
  public void note(Request req, String cookie, boolean byTrust) {
    if (!given.compareAndSet(false, true)) {
      return;
    }
    String reported = req.get("X-Forwarded-Proto");
    String proxy = byTrust ? "app.set(\"trust proxy\", ADDRESS_OF_THE_PROXY)" : ".proxy(true)";
    String cure =
        reported == null
            ? "Serve HTTPS. If a proxy terminates TLS, let it send X-Forwarded-Proto, and call "
            : "A proxy sent X-Forwarded-Proto: "
                + LogText.escape(reported)
                + ", which is not trusted or not https. To trust it, call ";
    log.accept(
        """
        %s: the cookie "%s" is secure, but the request came over plain HTTP. \
        The cookie was not sent, and the session is lost. %s%s. \
        For plain HTTP in development, set .cookie(c -> c.secure(false)).\
        """
            .formatted(middleware, cookie, cure, proxy));
  }
}
