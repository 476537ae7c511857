package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.TraitsProvider;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.Cookies;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import dev.percolate.http.SignatureForm;
import dev.percolate.middleware.session.CsrfTokens;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that protects against cross-site request forgery (CSRF). Requests that change
 * something must contain a token that only pages of this site know. Other requests get 403 with the
 * message {@code invalid csrf token} and the field {@code code} {@code EBADCSRFTOKEN}.
 *
 * <p>Tokens are derived from a secret in the session or in a cookie. They differ in each request,
 * so compressed responses do not reveal them. The secret is created when a token is first
 * requested, which must happen before the response headers are sent. The token is read from {@code
 * _csrf} in the body, then in the query string, then from the headers {@code CSRF-Token}, {@code
 * XSRF-Token}, {@code X-CSRF-Token} and {@code X-XSRF-Token}.
 *
 * <p>Each option returns a changed copy:
 *
 * <pre>
 *   cookie             none                 stores the secret in a cookie instead of the session
 *   sessionIdentifier  id of the session    identifies the visitor for whom the cookie is signed
 *   sessionKey         session              the attribute that holds the session
 *   ignoreMethods      GET HEAD OPTIONS     the methods that need no token
 *   value              as above             reads the token from a request
 * </pre>
 *
 * <p>If the secret is in a cookie, every host of the site must be trusted: each of them, and an
 * attacker on a connection without TLS, can set a cookie in the browser and send the matching
 * token. So the cookie is signed for its visitor with the secret of {@link CookieParser}, and is
 * invalid in the session of another visitor.
 *
 * <p>If visitors log in without {@link Sessions}, use {@link #sessionIdentifier}. Visitors who are
 * not logged in cannot be distinguished. To protect them, name the cookie {@code __Host-...}, with
 * the attributes {@code secure} and path {@code /}; browsers accept such a cookie only from this
 * host. If the setting {@code cookie signature} is {@code express}, the cookie is signed only if
 * its attributes say so, and not for a visitor.
 *
 * <p>{@link #sameOrigin} protects without tokens and sessions; for most applications, it is enough.
 *
 * <pre>{@code
 * app.use(Sessions.of(secret), BodyParsers.urlencoded(), Csrf.of());
 * app.get("/form", (req, res) -> res.render("form", Map.of("token", Csrf.token(req))));
 * }</pre>
 */
@CheckReturnValue
public final class Csrf extends Copyable<Csrf> implements Middleware, TraitsProvider {

  private static final Key<CsrfTokens> TOKENS = Key.of("csrf tokens", CsrfTokens.class);
  private static final List<String> HEADERS =
      List.of("csrf-token", "xsrf-token", "x-csrf-token", "x-xsrf-token");

  private CookieOptions cookieOptions = CookieOptions.none().httpOnly(true).sameSite("lax");
  private Key<?> sessionKey = Session.ATTRIBUTE;
  private Set<String> ignoreMethods = Set.of("GET", "HEAD", "OPTIONS");
  private Function<Request, @Nullable String> value = Csrf::sent;
  private @Nullable String cookie;
  private @Nullable Function<Request, @Nullable String> sessionIdentifier;

  private Csrf() {}

  /**
   * Creates middleware that keeps the secret in the session of {@link Sessions} or {@link
   * CookieSession}.
   */
  public static Csrf of() {
    return new Csrf();
  }

  /**
   * Creates middleware that needs no tokens: it rejects requests that browsers send from pages of
   * other origins.
   */
  public static SameOrigin sameOrigin() {
    return new SameOrigin();
  }

  /**
   * Returns the token of a request, for forms and pages. It is the same during the request, unless
   * the session changes.
   *
   * @param req the request
   * @return the token: letters, digits, {@code -} and {@code _}
   * @throws IllegalStateException if this middleware did not run before
   */
  public static String token(Request req) {
    return req.attr(TOKENS).token();
  }

  /**
   * Stores the secret in the cookie {@code _csrf}. Add a {@link CookieParser} with a secret before
   * this middleware.
   */
  public Csrf cookie() {
    return cookie("_csrf", options -> options);
  }

  /**
   * Stores the secret in a cookie. Add a {@link CookieParser} with a secret before this middleware.
   *
   * @param name the name of the cookie
   * @param change changes the default attributes: the path {@code /}, {@code HttpOnly}, {@code
   *     SameSite=Lax}. Scripts need only the token, not the cookie
   */
  public Csrf cookie(String name, UnaryOperator<CookieOptions> change) {
    return with(
        copy -> {
          copy.cookie = Options.headerName("cookie", name);
          copy.cookieOptions = change.apply(cookieOptions);
        });
  }

  /**
   * Sets the function that identifies the visitor for whom the cookie is signed, such as by user
   * name. The cookie and tokens of one visitor are invalid for another, and after a login. Default:
   * the session id.
   *
   * @param sessionIdentifier returns text that identifies only this visitor and stays the same
   *     while the visitor is logged in; null or empty if the visitor is not logged in
   */
  public Csrf sessionIdentifier(Function<Request, @Nullable String> sessionIdentifier) {
    return with(copy -> copy.sessionIdentifier = sessionIdentifier);
  }

  /**
   * Sets the attribute that holds the session. Default: the session of {@link Sessions} or {@link
   * CookieSession}.
   *
   * @param key the key of the attribute
   */
  public Csrf sessionKey(Key<Map<String, Object>> key) {
    return with(copy -> copy.sessionKey = key);
  }

  /**
   * Sets the methods that need no token. Default: GET, HEAD and OPTIONS.
   *
   * @param methods the method names; standard HTTP methods are case-insensitive
   * @throws IllegalArgumentException if a name is invalid
   */
  public Csrf ignoreMethods(String... methods) {
    return with(copy -> copy.ignoreMethods = Options.methods("ignoreMethods", methods));
  }

  /**
   * Sets the function that reads the token from a request.
   *
   * @param value returns the token of the request, or null
   */
  public Csrf value(Function<Request, @Nullable String> value) {
    return with(copy -> copy.value = value);
  }

  @Override
  public MiddlewareTraits traits() {
    MiddlewareTraits traits = MiddlewareTraits.of("csrf");
    return cookie == null ? traits.requires(sessionKey) : traits;
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    CsrfTokens tokens = new CsrfTokens(secret(req, res));
    req.attr(TOKENS, tokens);
    if (!ignoreMethods.contains(req.method()) && !tokens.verifies(value.apply(req))) {
      throw new HttpError(403, "invalid csrf token").with("code", "EBADCSRFTOKEN");
    }
    next.run();
  }

  private CsrfTokens.Secret secret(Request req, Response res) {
    String name = cookie;
    if (name == null) {
      InSession secret = new InSession(req, sessionKey);
      Object ignored = secret.expectSession();
      return secret;
    }
    SignatureForm form = SignatureForm.of(req.settings().get(Settings.COOKIE_SIGNATURE));
    return new InCookie(res, name, form != SignatureForm.EXPRESS);
  }

  /** Returns the text that the cookie is signed for. */
  private String purpose(Request req) {
    String given = null;
    if (sessionIdentifier != null) {
      given = sessionIdentifier.apply(req);
    } else if (req.attrOrNull(sessionKey) instanceof Session session && session.isKept()) {
      given = session.id();
    }
    return "csrf " + (given == null ? "" : given);
  }

  private static @Nullable String sent(Request req) {
    Object token = req.body() instanceof Map<?, ?> body ? body.get("_csrf") : null;
    if (!Settings.truthy(token)) {
      token = req.query().get("_csrf");
    }
    for (int i = 0; i < HEADERS.size() && !Settings.truthy(token); i++) {
      token = req.get(HEADERS.get(i));
    }
    return token instanceof String text ? text : null;
  }

  /** Stores the secret in the current session: a {@link Session} or a map. */
  private record InSession(Request req, Key<?> key) implements CsrfTokens.Secret {

    @Override
    public @Nullable String read() {
      return values().get("csrfSecret") instanceof String secret ? secret : null;
    }

    @Override
    public void write(String secret) {
      values().put("csrfSecret", secret);
    }

    @SuppressWarnings("unchecked") // sessionKey accepts only keys of maps
    private Map<String, Object> values() {
      Object session = expectSession();
      return session instanceof Session known ? known.seen() : (Map<String, Object>) session;
    }

    private Object expectSession() {
      Object session = req.attrOrNull(key);
      if (session == null) {
        throw new IllegalStateException(
            "Csrf.of() found no "
                + key
                + " on this request."
                + " Add app.use(Sessions.of(secret)) before it, or call cookie().");
      }
      return session;
    }
  }

  /** Stores the secret in a cookie. A new secret is also remembered for the rest of the request. */
  private final class InCookie implements CsrfTokens.Secret {

    private final Request req;
    private final Response res;
    private final String name;

    /** The key that signs the cookie for one visitor; empty for a cookie as in Express. */
    private final String key;

    private @Nullable String made;

    InCookie(Response res, String name, boolean bound) {
      this.req = res.req();
      this.res = res;
      this.name = name;
      this.key = bound ? Options.secretOfParser(req, "Csrf.of().cookie()") : "";
      if (!bound && cookies() == null) {
        throw new IllegalStateException(
            "Csrf.of().cookie() found no cookies on this request."
                + " Add app.use(CookieParser.of(secret)) before it.");
      }
    }

    @Override
    public @Nullable String read() {
      if (made != null) {
        return made;
      }
      if (key.isEmpty()) {
        Map<String, Object> cookies = cookies();
        return cookies != null && cookies.get(name) instanceof String secret ? secret : null;
      }
      String purpose = purpose(req);
      for (String value : Cookies.all(req.get("Cookie"), name)) {
        String secret = SignatureForm.BOUND.unsign(purpose, name, value, key);
        if (secret != null) {
          return secret;
        }
      }
      return null;
    }

    private @Nullable Map<String, Object> cookies() {
      return req.attrOrNull(cookieOptions.signed() ? Request.SIGNED_COOKIES : Request.COOKIES);
    }

    @Override
    public void write(String secret) {
      if (key.isEmpty()) {
        res.cookie(name, secret, cookieOptions);
      } else if (res.headersSent()) {
        throw new IllegalStateException(
            "cannot set the csrf cookie, since the headers have been sent."
                + " Call Csrf.token(req) before the response.");
      } else {
        res.onHeaders(() -> sendBound(secret));
      }
      made = secret;
    }

    /** Signs as late as possible, since a login can change the id of the session. */
    private void sendBound(String secret) {
      String value = SignatureForm.BOUND.sign(purpose(req), name, secret, key);
      long now = System.currentTimeMillis();
      res.append("Set-Cookie", Cookies.serialise(name, value, cookieOptions, now));
    }
  }
}
