package dev.percolate.middleware;

import dev.percolate.core.CheckReturnValue;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.TypeRef;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.CookieSignature;
import dev.percolate.http.Cookies;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a session, a map for each visitor, in a signed cookie: nothing is stored on the server.
 *
 * <p>{@link #SESSION} is the map; what it holds must fit JSON, and a cookie (some 4000 characters).
 * The visitor cannot change it, but can read it, and can send an old one again. A changed session
 * is sent when the answer starts; without one (the attribute removed) the cookie is cleared. It is
 * its own options; each gives a changed copy:
 *
 * <pre>
 *   key      connect.sess               the cookie's name
 *   cookie   path /, not for scripts    the cookie's attributes
 *   proxy    false                      whether X-Forwarded-Proto tells that TLS ends before
 * </pre>
 *
 * <pre>{@code
 * app.use(CookieSession.of(System.getenv("SECRET")).cookie(c -> c.secure(true).sameSite("lax")));
 * app.get("/", (req, res) -> {
 *   Object visits = req.attr(CookieSession.SESSION).merge("visits", 1, (a, b) -> (int) a + 1);
 *   res.send("visit " + visits);
 * });
 * }</pre>
 */
@CheckReturnValue
public final class CookieSession implements Middleware {

  /** The session; removed, it ends. */
  public static final Key<Map<String, Object>> SESSION =
      Key.of("session", new TypeRef<Map<String, Object>>() {});

  private final @Nullable String secret;
  private final String key;
  private final CookieOptions cookie;
  private final boolean proxy;

  private CookieSession(@Nullable String secret, String key, CookieOptions cookie, boolean proxy) {
    this.secret = secret;
    this.key = key;
    this.cookie = cookie;
    this.proxy = proxy;
  }

  /** Signs with the secret of the {@link CookieParser} above, which also reads the cookie. */
  public static CookieSession of() {
    return new CookieSession(null, "connect.sess", CookieOptions.none().httpOnly(true), false);
  }

  /**
   * Signs with a secret of its own.
   *
   * @param secret the secret, not empty
   * @return the middleware
   * @throws IllegalArgumentException if it is empty
   */
  public static CookieSession of(String secret) {
    CookieSession bare = of();
    return new CookieSession(
        Options.secret("CookieSession.of", secret), bare.key, bare.cookie, false);
  }

  /**
   * Chooses the cookie's name.
   *
   * @param name a token
   * @return a changed copy
   * @throws IllegalArgumentException if it is none
   */
  public CookieSession key(String name) {
    return new CookieSession(secret, Options.headerName("key", name), cookie, proxy);
  }

  /**
   * Chooses the cookie's attributes. Requests outside of its path get an empty session that is not
   * kept; a secure one is sent over TLS only.
   *
   * @param change changes the attributes: the path {@code /}, not for scripts
   * @return a changed copy
   */
  public CookieSession cookie(UnaryOperator<CookieOptions> change) {
    return new CookieSession(secret, key, change.apply(cookie), proxy);
  }

  /**
   * Chooses whether {@code X-Forwarded-Proto} is believed. Only right where every request comes
   * through a proxy that sets it.
   *
   * @param proxy true to believe it
   * @return a changed copy
   */
  public CookieSession proxy(boolean proxy) {
    return new CookieSession(secret, key, cookie, proxy);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    String signing = secret == null ? req.attrOrNull(Request.SECRET) : secret;
    if (signing == null || signing.isEmpty()) {
      throw new IllegalStateException("`secret` option required for cookie sessions");
    }
    if (!SessionCookie.covers(cookie, req)) {
      req.attr(SESSION, new LinkedHashMap<>());
      next.run();
      return;
    }
    String sent = secret == null ? null : unsigned(req, secret);
    req.attr(SESSION, secret == null ? parsed(req) : map(sent));
    res.onHeaders(() -> save(req, res, signing, sent));
    next.run();
  }

  private @Nullable String unsigned(Request req, String secret) {
    String value = Cookies.parse(req.get("Cookie")).get(key);
    boolean signed = value != null && value.startsWith("s:");
    return signed ? CookieSignature.unsign(value.substring(2), secret) : null;
  }

  /** Gives what the cookie parser has read and verified. */
  private Map<String, Object> parsed(Request req) {
    Map<String, Object> signed = req.attrOrNull(Request.SIGNED_COOKIES);
    return signed != null && signed.get(key) instanceof Map<?, ?> map ? copy(map) : copy(Map.of());
  }

  private static Map<String, Object> map(@Nullable String text) {
    if (text == null || !text.startsWith("j:")) {
      return new LinkedHashMap<>();
    }
    try {
      return JsonCodec.find().read(text.substring(2)) instanceof Map<?, ?> map
          ? copy(map)
          : new LinkedHashMap<>();
    } catch (IllegalArgumentException e) {
      return new LinkedHashMap<>(); // signed by a program that writes something else
    }
  }

  private static Map<String, Object> copy(Map<?, ?> map) {
    Map<String, Object> copy = new LinkedHashMap<>();
    map.forEach((name, value) -> copy.put(String.valueOf(name), value));
    return copy;
  }

  private void save(Request req, Response res, String signing, @Nullable String sent) {
    Map<String, Object> session = req.attrOrNull(SESSION);
    if (session == null) {
      send(res, "", cookie.cleared());
      return;
    }
    if (cookie.secure() && !SessionCookie.secure(req, proxy)) {
      return;
    }
    String text = "j:" + JsonCodec.find().write(session, JsonCodec.Style.COMPACT);
    if (!text.equals(sent)) {
      String value = "s:" + CookieSignature.sign(text, signing);
      send(res, value, SessionCookie.dated(cookie));
    }
  }

  private void send(Response res, String value, CookieOptions options) {
    res.append("Set-Cookie", Cookies.serialise(key, value, options, 0));
  }
}
