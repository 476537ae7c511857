package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.StepKind;
import dev.percolate.core.StepTraits;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.Cookies;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import dev.percolate.http.SignatureForm;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that other sites make browsers send: those that change something must bring a
 * token that only pages of this site know, otherwise they are the error 403, {@code invalid csrf
 * token} with the field {@code code} {@code EBADCSRFTOKEN}.
 *
 * <p>Tokens are made of a secret that is kept in the session, or in a cookie; they differ with each
 * request, so that compressed answers do not give them away. The secret is made when a token is
 * asked for first, before the head of the answer goes out. A token is sought in the body's field
 * {@code _csrf}, then in the query's, then in the headers {@code CSRF-Token}, {@code XSRF-Token},
 * {@code X-CSRF-Token} and {@code X-XSRF-Token}. It is its own options; each gives a changed copy:
 *
 * <pre>
 *   cookie          none                 keeps the secret in a cookie instead of the session
 *   visitor         id of the session    whom the cookie is for
 *   sessionKey      session              the attribute that holds the session
 *   ignoreMethods   GET HEAD OPTIONS     which need no token
 *   value           as above             where the token is found
 * </pre>
 *
 * <p>A cookie is no safer than all hosts of its site: any of them, and a line without TLS, can make
 * browsers send a cookie that comes with a token that fits. So the cookie is signed for its
 * visitor, by the secret of the {@link CookieParser} above: it is worth nothing with the session of
 * another one. Visitors who are logged in by something else than {@link Sessions} need {@link
 * #visitor}; nobody can tell those who are not logged in from each other, except by the browser,
 * which takes a cookie named {@code __Host-...} (secure, with the path {@code /}) from this host
 * only. Where the setting {@code cookie signature} is {@code express}, the cookie is as there:
 * signed, by its value alone, only if its attributes say so.
 *
 * <pre>{@code
 * app.use(Sessions.of(secret), BodyParsers.urlencoded(), Csrf.of());
 * app.get("/form", (req, res) -> res.render("form", Map.of("token", Csrf.token(req))));
 * }</pre>
 */
@CheckReturnValue
public final class Csrf extends Copyable<Csrf> implements Middleware, StepKind {

  private static final Key<CsrfTokens> TOKENS = Key.of("csrf tokens", CsrfTokens.class);
  private static final List<String> HEADERS =
      List.of("csrf-token", "xsrf-token", "x-csrf-token", "x-xsrf-token");

  private CookieOptions cookieOptions = CookieOptions.none().httpOnly(true).sameSite("lax");
  private Key<Map<String, Object>> sessionKey = CookieSession.SESSION;
  private Set<String> ignoreMethods = Set.of("GET", "HEAD", "OPTIONS");
  private Function<Request, @Nullable String> value = Csrf::sent;
  private @Nullable String cookie;
  private @Nullable Function<Request, @Nullable String> visitor;

  private Csrf() {}

  /** Keeps the secret in the session, which {@link Sessions} or {@link CookieSession} give. */
  public static Csrf of() {
    return new Csrf();
  }

  /**
   * Returns the token of a request, to be put into forms and pages. It is the same for the whole
   * request, unless the session changes.
   *
   * @param req the request
   * @return the token: letters, digits, {@code -} and {@code _}
   * @throws IllegalStateException if this middleware does not stand above
   */
  public static String token(Request req) {
    return req.attr(TOKENS).token();
  }

  /**
   * Keeps the secret in the cookie {@code _csrf}; a {@link CookieParser} with a secret stands
   * above.
   */
  public Csrf cookie() {
    return cookie("_csrf", options -> options);
  }

  /**
   * Keeps the secret in a cookie; a {@link CookieParser} with a secret stands above.
   *
   * @param name the cookie's name, a token
   * @param change changes its attributes: the path {@code /}, not for scripts, {@code SameSite}
   *     {@code lax}. Pages need the token, never the cookie
   */
  public Csrf cookie(String name, UnaryOperator<CookieOptions> change) {
    String checked = Options.headerName("cookie", name);
    CookieOptions options = change.apply(cookieOptions);
    return with(
        copy -> {
          copy.cookie = checked;
          copy.cookieOptions = options;
        });
  }

  /**
   * Chooses what tells visitors apart that the cookie is for, such as the name of the user. A
   * cookie and the tokens that were made for one visitor are nothing for another, nor after a
   * log-in.
   *
   * @param visitor gives what stays the same as long as the visitor is logged in, and what nobody
   *     else has; null or empty for those who are not logged in
   */
  public Csrf visitor(Function<Request, @Nullable String> visitor) {
    return with(copy -> copy.visitor = visitor);
  }

  /**
   * Chooses the attribute that holds the session.
   *
   * @param key its key
   */
  public Csrf sessionKey(Key<Map<String, Object>> key) {
    return with(copy -> copy.sessionKey = key);
  }

  /**
   * Sets the methods that need no token. Default: GET, HEAD and OPTIONS.
   *
   * @param methods their names; those that HTTP defines in any letter case
   * @throws IllegalArgumentException if one is not a method
   */
  public Csrf ignoreMethods(String... methods) {
    Set<String> checked = Options.methods("ignoreMethods", methods);
    return with(copy -> copy.ignoreMethods = checked);
  }

  /**
   * Chooses where the token is found.
   *
   * @param value gives the token that a request brings, or null
   */
  public Csrf value(Function<Request, @Nullable String> value) {
    return with(copy -> copy.value = value);
  }

  @Override
  public StepTraits traits() {
    StepTraits traits = StepTraits.of("csrf");
    return cookie == null ? traits.needs(sessionKey) : traits;
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
      secret.expectSession();
      return secret;
    }
    SignatureForm form = SignatureForm.of(req.settings().get(Settings.COOKIE_SIGNATURE));
    return form == SignatureForm.EXPRESS
        ? new InCookie(req, res, name)
        : new InBoundCookie(req, res, name);
  }

  /** Returns what the cookie is signed for. */
  private String purpose(Request req) {
    String given = null;
    if (visitor != null) {
      given = visitor.apply(req);
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

  /** Keeps the secret in the session, whichever that is when it is asked for. */
  private record InSession(Request req, Key<Map<String, Object>> key) implements CsrfTokens.Secret {

    @Override
    public @Nullable String read() {
      return session().get("csrfSecret") instanceof String secret ? secret : null;
    }

    @Override
    public void write(String secret) {
      session().put("csrfSecret", secret);
    }

    private Map<String, Object> session() {
      expectSession();
      return req.attr(key);
    }

    private void expectSession() {
      if (req.attrOrNull(key) == null) {
        throw new IllegalStateException(
            "Csrf.of(): there is no " + key + "; do sessions stand above? cookie() needs none");
      }
    }
  }

  /** Keeps the secret in a cookie that is good for one visitor only. */
  private final class InBoundCookie implements CsrfTokens.Secret {

    private final Request req;
    private final Response res;
    private final String name;
    private final String key;
    private @Nullable String made;

    InBoundCookie(Request req, Response res, String name) {
      this.req = req;
      this.res = res;
      this.name = name;
      String secret = req.attrOrNull(Request.SECRET);
      if (secret == null || secret.isEmpty()) {
        throw new IllegalStateException(
            "Csrf.of().cookie(): there is no secret; does a CookieParser with one stand above?");
      }
      this.key = secret;
    }

    @Override
    public @Nullable String read() {
      if (made != null) {
        return made;
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

    @Override
    public void write(String secret) {
      if (res.headersSent()) {
        throw new IllegalStateException("the cookie of a csrf token: the headers have been sent");
      }
      made = secret;
      // Until then a session may begin, or change its id at a log-in.
      res.onHeaders(
          () -> {
            String value = SignatureForm.BOUND.sign(purpose(req), name, secret, key);
            String line = Cookies.serialise(name, value, cookieOptions, System.currentTimeMillis());
            res.append("Set-Cookie", line);
          });
    }
  }

  /** Keeps the secret in a cookie; one just made is remembered for the rest of the request. */
  private final class InCookie implements CsrfTokens.Secret {

    private final Request req;
    private final Response res;
    private final String name;
    private @Nullable String made;

    InCookie(Request req, Response res, String name) {
      this.req = req;
      this.res = res;
      this.name = name;
      if (cookies() == null) {
        throw new IllegalStateException(
            "Csrf.of().cookie(): there are no cookies; does a CookieParser stand above?");
      }
    }

    @Override
    public @Nullable String read() {
      Map<String, Object> cookies = cookies();
      Object sent = cookies == null ? null : cookies.get(name);
      return made == null && sent instanceof String secret ? secret : made;
    }

    private @Nullable Map<String, Object> cookies() {
      return req.attrOrNull(cookieOptions.signed() ? Request.SIGNED_COOKIES : Request.COOKIES);
    }

    @Override
    public void write(String secret) {
      made = secret;
      res.cookie(name, secret, cookieOptions);
    }
  }
}
