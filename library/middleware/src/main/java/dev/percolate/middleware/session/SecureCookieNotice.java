package dev.percolate.middleware.session;

import dev.percolate.core.Request;
import dev.percolate.http.Forwarded;
import dev.percolate.http.LogText;
import dev.percolate.http.Trust;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Logs a warning if a secure cookie is not sent because the request came over plain HTTP. Logged
 * once for each middleware and its copies.
 */
public final class SecureCookieNotice {

  private static final System.Logger LOG = System.getLogger("dev.percolate.middleware");

  private final String middleware;
  private final AtomicBoolean given = new AtomicBoolean();

  /**
   * Creates a notice.
   *
   * @param middleware the name of the middleware
   */
  public SecureCookieNotice(String middleware) {
    this.middleware = middleware;
  }

  /**
   * Returns true if a request may get a cookie. Otherwise logs the warning, unless it was logged
   * before.
   *
   * @param cookie the name of the cookie
   * @param secure whether the cookie is secure
   * @param proxy true to trust headers of proxies; false to check only the connection; null for the
   *     setting {@code trust proxy}
   */
  public boolean allows(Request req, String cookie, boolean secure, @Nullable Boolean proxy) {
    if (!secure || (proxy == null ? req.secure() : isSecure(req, proxy))) {
      return true;
    }
    if (given.compareAndSet(false, true)) {
      log(req, cookie, proxy == null);
    }
    return false;
  }

  private static boolean isSecure(Request req, boolean proxy) {
    String own = req.encrypted() ? "https" : "http";
    Forwarded forwarded = new Forwarded(req.headers(), req.remoteAddress(), Trust.of(proxy));
    return req.encrypted() || forwarded.protocol(own).equals("https");
  }

  private void log(Request req, String cookie, boolean byTrust) {
    String reported = req.get("X-Forwarded-Proto");
    String proxy = byTrust ? "app.set(\"trust proxy\", ADDRESS_OF_THE_PROXY)" : ".proxy(true)";
    String cure =
        reported == null
            ? "Serve HTTPS. If a proxy terminates TLS, let it send X-Forwarded-Proto, and call "
            : "A proxy sent X-Forwarded-Proto: "
                + LogText.escape(reported)
                + ", which is not trusted or not https. To trust it, call ";
    LOG.log(
        Level.WARNING,
        """
        %s: the cookie "%s" is secure, but the request came over plain HTTP. \
        The cookie was not sent, and the session is lost. %s%s. \
        For plain HTTP in development, set .cookie(c -> c.secure(false)).\
        """
            .formatted(middleware, cookie, cure, proxy));
  }
}
