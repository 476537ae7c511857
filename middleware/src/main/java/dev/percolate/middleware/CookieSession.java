package dev.percolate.middleware;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.StepKind;
import dev.percolate.core.StepTraits;
import dev.percolate.core.TypeRef;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.Cookies;
import dev.percolate.http.SignatureForm;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a session, a map for each visitor, in a signed cookie: nothing is stored on the server.
 *
 * <p>{@link #SESSION} is the map; what it holds must fit JSON, and a cookie (some 4000 characters).
 * The visitor cannot change it, but can read it, and can send an old one again. A changed session
 * is sent when the answer starts, a new one only if it holds something; without one (the attribute
 * removed) the cookie is cleared. {@link #cookie(Request)} are the cookie's attributes for this
 * answer, to be changed. It is its own options; each gives a changed copy:
 *
 * <pre>
 *   key      cookie session name        the cookie's name: session
 *   cookie   path /, not for scripts,   the cookie's attributes
 *            session same site: lax
 *   proxy    false                      whether X-Forwarded-Proto tells that TLS ends before
 * </pre>
 *
 * <p>Where a setting is named, it counts unless the option is chosen; so does {@link
 * Sessions#SAVE_UNINITIALIZED}.
 *
 * <pre>{@code
 * app.use(CookieSession.of(System.getenv("SECRET")).cookie(c -> c.secure(true)));
 * app.get("/", (req, res) -> {
 *   Object visits = req.attr(CookieSession.SESSION).merge("visits", 1, (a, b) -> (int) a + 1);
 *   res.send("visit " + visits);
 * });
 * }</pre>
 */
@CheckReturnValue
public final class CookieSession implements Middleware, StepKind {

  /** The session; removed, it ends. */
  public static final Key<Map<String, Object>> SESSION =
      Key.of("session", new TypeRef<Map<String, Object>>() {});

  /** The cookie's name where {@link #key} is not chosen; {@code session}. */
  public static final Key<String> NAME = Key.of("cookie session name", String.class, "session");

  private static final Key<SessionCookie> COOKIE = Key.of("session cookie", SessionCookie.class);
  private static final String PURPOSE = "cookie session";

  private final @Nullable String secret;
  private final @Nullable String key;
  private final SessionAttributes cookie;
  private final boolean proxy;

  /** What a request has sent, and how its session is sent back. */
  private record Sent(Settings settings, String name, String secret, @Nullable String text) {

    boolean isOn(Key<Boolean> setting) {
      return Boolean.TRUE.equals(settings.get(setting));
    }
  }

  private CookieSession(
      @Nullable String secret, @Nullable String key, SessionAttributes cookie, boolean proxy) {
    this.secret = secret;
    this.key = key;
    this.cookie = cookie;
    this.proxy = proxy;
  }

  /** Signs with the secret of the {@link CookieParser} above. */
  public static CookieSession of() {
    return new CookieSession(null, null, SessionAttributes.usual(), false);
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
   * Returns the cookie of a request's session, of which life and attributes may be changed: it is
   * then sent with this answer.
   *
   * @param req the request
   * @throws IllegalStateException if this middleware does not stand above
   */
  public static SessionCookie cookie(Request req) {
    return req.attr(COOKIE);
  }

  /**
   * Chooses the cookie's name.
   *
   * @param name a token
   * @throws IllegalArgumentException if it is none
   */
  public CookieSession key(String name) {
    return new CookieSession(secret, Options.headerName("key", name), cookie, proxy);
  }

  /**
   * Chooses the cookie's attributes. Requests outside of its path get an empty session that is not
   * kept; a secure one is sent over TLS only.
   *
   * @param change changes the attributes: the path {@code /}, not for scripts, {@link
   *     Sessions#SAME_SITE}
   */
  public CookieSession cookie(UnaryOperator<CookieOptions> change) {
    return new CookieSession(secret, key, cookie.and(change), proxy);
  }

  /**
   * Chooses whether {@code X-Forwarded-Proto} is believed. Only right where every request comes
   * through a proxy that sets it.
   *
   * @param proxy true to believe it
   */
  public CookieSession proxy(boolean proxy) {
    return new CookieSession(secret, key, cookie, proxy);
  }

  @Override
  public StepTraits traits() {
    return StepTraits.of("session").gives(SESSION);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    String signing = secret == null ? req.attrOrNull(Request.SECRET) : secret;
    if (signing == null || signing.isEmpty()) {
      throw new IllegalStateException(
          "CookieSession.of(): no secret; does a CookieParser with one stand above?");
    }
    Settings settings = req.settings();
    CookieOptions options = cookie.of(settings);
    req.attr(COOKIE, new SessionCookie(options));
    if (!SessionCookie.covers(options, req)) {
      req.attr(SESSION, new LinkedHashMap<>());
      next.run();
      return;
    }
    String name = key == null ? Objects.requireNonNull(settings.get(NAME)) : key;
    String value = Cookies.parse(req.get("Cookie")).getOrDefault(name, "");
    String text = form(settings).unsign(PURPOSE, name, value, signing);
    Sent sent = new Sent(settings, name, signing, text);
    req.attr(SESSION, map(settings, sent.text()));
    res.onHeaders(() -> save(req, res, sent));
    next.run();
  }

  private static Map<String, Object> map(Settings settings, @Nullable String text) {
    if (text == null || !text.startsWith("j:")) {
      return new LinkedHashMap<>();
    }
    try {
      return settings.jsonCodec().read(text.substring(2)) instanceof Map<?, ?> map
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

  private void save(Request req, Response res, Sent sent) {
    Map<String, Object> session = req.attrOrNull(SESSION);
    SessionCookie own = cookie(req);
    if (session == null) {
      send(res, sent.name(), "", own.options().cleared());
      return;
    }
    if (own.secure() && !SessionCookie.secure(req, proxy)) {
      return;
    }
    if (sent.text() == null && session.isEmpty() && !sent.isOn(Sessions.SAVE_UNINITIALIZED)) {
      return;
    }
    String text = "j:" + sent.settings().jsonCodec().write(session, JsonCodec.Style.COMPACT);
    boolean resave = secret == null && sent.isOn(Sessions.RESAVE);
    if (resave || own.isChanged() || !text.equals(sent.text())) {
      own.touch();
      String value = form(sent.settings()).sign(PURPOSE, sent.name(), text, sent.secret());
      send(res, sent.name(), value, own.options());
    }
  }

  private static SignatureForm form(Settings settings) {
    return SignatureForm.of(settings.get(Settings.COOKIE_SIGNATURE));
  }

  private static void send(Response res, String name, String value, CookieOptions options) {
    res.append("Set-Cookie", Cookies.serialise(name, value, options, 0));
  }
}
