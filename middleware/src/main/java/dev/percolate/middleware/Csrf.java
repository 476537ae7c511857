package dev.percolate.middleware;

import dev.percolate.core.CheckReturnValue;
import dev.percolate.core.HttpError;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.http.CookieOptions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that other sites make browsers send: those that change something must bring a
 * token that only pages of this site know, otherwise they are the error 403, {@code invalid csrf
 * token} with the field {@code code} {@code EBADCSRFTOKEN}.
 *
 * <p>Tokens are made of a secret that is kept in the session, or in a cookie; they differ with each
 * request, so that compressed answers do not give them away. A token is sought in the body's field
 * {@code _csrf}, then in the query's, then in the headers {@code CSRF-Token}, {@code XSRF-Token},
 * {@code X-CSRF-Token} and {@code X-XSRF-Token}. It is its own options; each gives a changed copy:
 *
 * <pre>
 *   cookie          none                 keeps the secret in a cookie instead of the session
 *   sessionKey      session              the attribute that holds the session
 *   ignoreMethods   GET HEAD OPTIONS     which need no token
 *   value           as above             where the token is found
 * </pre>
 *
 * <pre>{@code
 * app.use(Sessions.of(secret), BodyParsers.urlencoded(), Csrf.of());
 * app.get("/form", (req, res) -> res.render("form", Map.of("token", Csrf.token(req))));
 * }</pre>
 */
@CheckReturnValue
public final class Csrf implements Middleware {

  private static final Key<CsrfTokens> TOKENS = Key.of("csrf tokens", CsrfTokens.class);
  private static final List<String> HEADERS =
      List.of("csrf-token", "xsrf-token", "x-csrf-token", "x-xsrf-token");

  private final @Nullable String cookie;
  private final CookieOptions cookieOptions;
  private final Key<Map<String, Object>> sessionKey;
  private final Set<String> ignoreMethods;
  private final Function<Request, @Nullable String> value;

  private Csrf(
      @Nullable String cookie,
      CookieOptions cookieOptions,
      Key<Map<String, Object>> sessionKey,
      Set<String> ignoreMethods,
      Function<Request, @Nullable String> value) {
    this.cookie = cookie;
    this.cookieOptions = cookieOptions;
    this.sessionKey = sessionKey;
    this.ignoreMethods = ignoreMethods;
    this.value = value;
  }

  /** Keeps the secret in the session, which {@link Sessions} or {@link CookieSession} give. */
  public static Csrf of() {
    return new Csrf(
        null,
        CookieOptions.none(),
        CookieSession.SESSION,
        Set.of("GET", "HEAD", "OPTIONS"),
        Csrf::sent);
  }

  /**
   * Gives the token of a request, to be put into forms and pages. It is the same for the whole
   * request, unless the session changes.
   *
   * @param req the request
   * @return the token: letters, digits, {@code -} and {@code _}
   * @throws IllegalStateException if this middleware does not stand above
   */
  public static String token(Request req) {
    return req.attr(TOKENS).token();
  }

  /** Keeps the secret in the cookie {@code _csrf}; a {@link CookieParser} stands above. */
  public Csrf cookie() {
    return cookie("_csrf", options -> options);
  }

  /**
   * Keeps the secret in a cookie; a {@link CookieParser} stands above, with a secret if the cookie
   * is to be signed. Pages need not see the cookie: {@code httpOnly(true)} is a good idea.
   *
   * @param name the cookie's name, a token
   * @param change changes its attributes: the path {@code /} and nothing else
   * @return a changed copy
   */
  public Csrf cookie(String name, UnaryOperator<CookieOptions> change) {
    CookieOptions options = change.apply(CookieOptions.none());
    return new Csrf(Options.headerName("cookie", name), options, sessionKey, ignoreMethods, value);
  }

  /**
   * Chooses the attribute that holds the session.
   *
   * @param key its key
   * @return a changed copy
   */
  public Csrf sessionKey(Key<Map<String, Object>> key) {
    return new Csrf(cookie, cookieOptions, key, ignoreMethods, value);
  }

  /**
   * Chooses the methods that need no token, in the place of the usual ones.
   *
   * @param methods their names, in any letter case
   * @return a changed copy
   */
  public Csrf ignoreMethods(String... methods) {
    Set<String> upper = new TreeSet<>();
    for (String method : methods) {
      upper.add(method.toUpperCase(Locale.ROOT));
    }
    return new Csrf(cookie, cookieOptions, sessionKey, Set.copyOf(upper), value);
  }

  /**
   * Chooses where the token is found.
   *
   * @param value gives the token that a request brings, or null
   * @return a changed copy
   */
  public Csrf value(Function<Request, @Nullable String> value) {
    return new Csrf(cookie, cookieOptions, sessionKey, ignoreMethods, value);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    CsrfTokens tokens = new CsrfTokens(secret(req, res));
    tokens.prepare();
    req.attr(TOKENS, tokens);
    if (!ignoreMethods.contains(req.method().toUpperCase(Locale.ROOT))
        && !tokens.verifies(value.apply(req))) {
      throw new HttpError(403, "invalid csrf token").with("code", "EBADCSRFTOKEN");
    }
    next.run();
  }

  private CsrfTokens.Secret secret(Request req, Response res) {
    String name = cookie;
    return name == null ? new InSession(req, sessionKey) : new InCookie(req, res, name);
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
      Map<String, Object> session = req.attrOrNull(key);
      if (session == null) {
        throw new IllegalStateException("misconfigured csrf");
      }
      return session;
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
    }

    @Override
    public @Nullable String read() {
      Map<String, Object> cookies =
          req.attrOrNull(cookieOptions.signed() ? Request.SIGNED_COOKIES : Request.COOKIES);
      if (cookies == null) {
        throw new IllegalStateException("misconfigured csrf");
      }
      boolean sent = cookies.get(name) instanceof String text && !text.isEmpty();
      return made != null || !sent ? made : String.valueOf(cookies.get(name));
    }

    @Override
    public void write(String secret) {
      made = secret;
      Response ignored = res.cookie(name, secret, cookieOptions);
    }
  }
}
