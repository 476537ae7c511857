package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.StartCheck;
import dev.percolate.core.TraitsProvider;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.StoreUnavailableException;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.Cookies;
import dev.percolate.http.Copyable;
import dev.percolate.http.Quantity;
import dev.percolate.middleware.session.RandomText;
import dev.percolate.middleware.session.SecureCookieNotice;
import dev.percolate.middleware.store.StoreFailures;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Middleware for server-side sessions. Each visitor has a {@link Session}, which is kept in a
 * store. A signed cookie contains its id.
 *
 * <p>A session is loaded on first access. Requests that do not access it cause no store operation,
 * and do not extend its lifetime. A new session is stored, and its cookie sent, if it gets a value
 * before the response headers are sent. Changes are stored before the headers are sent, and later
 * changes before the response ends. If a client disconnects earlier, only later changes are lost.
 *
 * <p>Ids that are not in the store are never accepted, even if their signature is valid: the
 * visitor gets a new id. If a browser sends several cookies with the name, the first one with a
 * valid signature and a stored session is used. If a request {@linkplain Session#regenerate logs
 * in} or out, simultaneous requests of the same browser never replace the new cookie, see {@link
 * #OVERLAP}.
 *
 * <p>Options; each returns a changed copy:
 *
 * <pre>
 *   name                session name: sid          the name of the cookie
 *   cookie              path /, httpOnly,          the attributes of the cookie, and the lifetime
 *                       session same site: lax     of the session
 *   store               in memory                  the session store
 *   genid               192 random bits            the function that creates session ids
 *   resave              session resave: false      whether unchanged sessions are stored again
 *   saveUninitialized   session save               whether new sessions without values are stored
 *                       uninitialized: false
 *   rolling             false                      whether every response sets the cookie of a
 *                                                  stored session
 *   proxy               trust proxy                whether X-Forwarded-Proto is trusted
 *   unset               keep                       what happens to sessions removed from a request
 *   touchInterval       a tenth of the lifetime    the minimum time between restarts of a lifetime
 *   onFailure           REJECT                     what requests get while the store fails
 * </pre>
 *
 * <p>Some defaults are settings, such as {@code session name}. To send the cookie only over HTTPS,
 * set {@code secure} as below: a server behind a proxy cannot know whether its visitors use HTTPS.
 * If a secure cookie is not sent because of plain HTTP, a warning is logged once.
 *
 * <pre>{@code
 * app.use(Sessions.of(System.getenv("SECRET"))
 *     .cookie(c -> c.secure(true).maxAge(8 * 60 * 60 * 1000)));
 * app.post("/login", (req, res) -> {
 *   User user = users.verify(req);
 *   req.attr(Sessions.SESSION).regenerate().set("user", user.name());
 *   res.redirect("/");
 * });
 * }</pre>
 */
@CheckReturnValue
public final class Sessions extends Copyable<Sessions>
    implements Middleware, StartCheck, TraitsProvider {

  /** The session of the request; absent after it was destroyed. */
  public static final Key<Session> SESSION =
      Key.of("session", Session.class).providedBy("app.use(Sessions.of(secret))");

  /** The name of the session cookie, unless {@link Sessions#name} is set. */
  public static final Key<String> NAME = Key.of("session name", String.class, "sid");

  /**
   * The {@code SameSite} attribute of session cookies, including those of {@link CookieSession}:
   * {@code lax}, {@code strict}, {@code none}, or false for no attribute. The option {@code cookie}
   * overrides it.
   */
  public static final Key<Object> SAME_SITE = Key.of("session same site", Object.class, "lax");

  /** Whether unchanged sessions are stored again, unless {@link Sessions#resave} is set. */
  public static final Key<Boolean> RESAVE = Key.of("session resave", Boolean.class, false);

  /**
   * Whether new sessions without values are stored and their cookie set, including those of {@link
   * CookieSession}, unless {@link Sessions#saveUninitialized} is set.
   */
  public static final Key<Boolean> SAVE_UNINITIALIZED =
      Key.of("session save uninitialized", Boolean.class, false);

  /**
   * How long requests with the id of a {@linkplain Session#regenerate regenerated} session may
   * still arrive. The browser sent them before it received the new cookie, so their responses set
   * no cookie. Default: 10 seconds. With zero, this applies only to requests that arrived earlier.
   */
  public static final Key<Duration> OVERLAP =
      Key.of("session overlap", Duration.class, Duration.ofSeconds(10));

  /** The behavior of requests while the session store fails. */
  public enum OnFailure {
    /**
     * Accessing the session throws {@link StoreUnavailableException}: 503 with {@code Retry-After}.
     */
    REJECT,
    /**
     * If a session cannot be loaded, the request gets an empty one that is not stored, as if the
     * visitor were logged out. Storing and removing sessions fails as with {@link #REJECT}.
     */
    ANONYMOUS
  }

  private final List<String> secrets;
  private @Nullable String name;
  private @Nullable Boolean resave;
  private @Nullable Boolean saveUninitialized;

  // Read by SessionVisit.
  SessionAttributes cookie = SessionAttributes.usual();
  SessionStore store = MemorySessions.of();
  Function<Request, String> genid = req -> RandomText.of(24);
  boolean rolling;
  @Nullable Boolean proxy;
  boolean destroyUnset;
  @Nullable Duration touchInterval;
  OnFailure onFailure = OnFailure.REJECT;
  final StoreFailures failures = new StoreFailures("the session store");
  final SecureCookieNotice plainHttp = new SecureCookieNotice("Sessions");

  private Sessions(List<String> secrets) {
    this.secrets = secrets;
  }

  /** Creates middleware that signs ids with the secret of an earlier {@link CookieParser}. */
  public static Sessions of() {
    return new Sessions(List.of());
  }

  /**
   * Creates middleware that signs ids with a secret.
   *
   * @param secret the secret, not empty; a server that starts logs a warning if it is easy to guess
   * @return the middleware
   * @throws IllegalArgumentException if the secret is empty
   */
  public static Sessions of(String secret) {
    return of(List.of(Options.secret("Sessions.of", secret)));
  }

  /**
   * Creates middleware that signs ids with the first of several secrets, and accepts ids signed
   * with any of them. A secret can thus be replaced without ending all sessions.
   *
   * @param secrets the secrets, newest first
   * @return the middleware
   * @throws IllegalArgumentException if the list or a secret is empty
   */
  public static Sessions of(List<String> secrets) {
    if (secrets.isEmpty()) {
      throw new IllegalArgumentException("Sessions.of needs at least one secret, got none");
    }
    secrets.forEach(secret -> Options.secret("Sessions.of", secret));
    return new Sessions(List.copyOf(secrets));
  }

  /**
   * Sets the name of the cookie. Default: the setting {@link #NAME}.
   *
   * @param name the name, a token
   * @throws IllegalArgumentException if the name is not a token
   */
  public Sessions name(String name) {
    return with(copy -> copy.name = Options.headerName("name", name));
  }

  /**
   * Sets the attributes of the cookie. Its {@code maxAge} is the lifetime of the session, which
   * every request restarts. Requests outside its path have no session.
   *
   * @param change changes the attributes. By default, the path is {@code /}, the cookie is {@code
   *     httpOnly}, and {@link #SAME_SITE} applies
   */
  public Sessions cookie(UnaryOperator<CookieOptions> change) {
    return with(copy -> copy.cookie = cookie.and(change));
  }

  /**
   * Sets the session store. Default: {@link MemorySessions}.
   *
   * @param store the store
   */
  public Sessions store(SessionStore store) {
    return with(copy -> copy.store = store);
  }

  /**
   * Sets the function that creates session ids. Default: 192 random bits.
   *
   * @param genid returns an id that cannot be guessed and was never used before
   */
  public Sessions genid(Function<Request, String> genid) {
    return with(copy -> copy.genid = genid);
  }

  /**
   * Sets whether sessions are stored at the end of every request, even if unchanged. Either way,
   * values that the request has not changed stay as other requests have stored them. Default: the
   * setting {@link #RESAVE}, false.
   *
   * @param resave false to store only changed sessions, and restart the lifetime of others
   */
  public Sessions resave(boolean resave) {
    return with(copy -> copy.resave = resave);
  }

  /**
   * Sets whether new sessions without values are stored, and their cookie set. A client that sends
   * no cookies then creates a session with each request. Default: the setting {@link
   * #SAVE_UNINITIALIZED}, false.
   *
   * @param saveUninitialized false to discard them
   */
  public Sessions saveUninitialized(boolean saveUninitialized) {
    return with(copy -> copy.saveUninitialized = saveUninitialized);
  }

  /**
   * Sets whether every response sets the cookie, so that its lifetime restarts in the browser too.
   * A new session without values sets none, unless {@link #saveUninitialized} is set. Default:
   * false.
   *
   * @param rolling true to set the cookie with every response
   */
  public Sessions rolling(boolean rolling) {
    return with(copy -> copy.rolling = rolling);
  }

  /**
   * Sets whether {@code X-Forwarded-Proto} is trusted when a secure cookie is to be sent. Default:
   * {@link Request#secure}, which depends on the setting {@code trust proxy}.
   *
   * @param proxy true to trust the header, false to check only the connection
   */
  public Sessions proxy(boolean proxy) {
    return with(copy -> copy.proxy = proxy);
  }

  /**
   * Sets what happens to the stored session if a handler removes the session from its request
   * without destroying it. Default: {@code keep}.
   *
   * @param unset {@code keep} to leave the stored session unchanged, {@code destroy} to remove it
   * @throws IllegalArgumentException for any other value
   */
  public Sessions unset(String unset) {
    if (!unset.equals("keep") && !unset.equals("destroy")) {
      throw new IllegalArgumentException("unset must be keep or destroy, was \"" + unset + "\"");
    }
    return with(copy -> copy.destroyUnset = unset.equals("destroy"));
  }

  /**
   * Sets the minimum time between two restarts of a session's lifetime in the store. A session may
   * expire earlier by at most this time. Default: a tenth of the lifetime.
   *
   * @param pause the time; zero to restart the lifetime with each request that accesses the session
   * @throws IllegalArgumentException if the time is negative
   */
  public Sessions touchInterval(Duration pause) {
    return with(copy -> copy.touchInterval = Quantity.notNegative("touchInterval", pause));
  }

  /**
   * Sets the behavior of requests while the store fails. Failures are logged, at most one warning
   * per minute. Default: {@link OnFailure#REJECT}.
   *
   * @param onFailure the behavior
   */
  public Sessions onFailure(OnFailure onFailure) {
    return with(copy -> copy.onFailure = onFailure);
  }

  @Override
  public void checkStart(ListenOptions options) {
    StoreFailures.checkWaits(store.isBlocking(), store, "Sessions", options);
  }

  @Override
  public MiddlewareTraits traits() {
    String weakness = Options.weakness(secrets);
    return MiddlewareTraits.of("session")
        .authenticates()
        .provides(SESSION)
        .warns(weakness == null ? cookie.doubt(name) : weakness);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    if (req.attrOrNull(Session.ATTRIBUTE) == null
        && Cookies.pathMatches(cookie.of(req.settings()).path(), req.originalPath())) {
      new SessionVisit(this, req, res, secrets(req)).begin();
    }
    next.run();
  }

  String name(Settings settings) {
    return name == null ? Objects.requireNonNull(settings.get(NAME)) : name;
  }

  boolean resaves(Settings settings) {
    return resave == null ? Boolean.TRUE.equals(settings.get(RESAVE)) : resave;
  }

  boolean savesUninitialized(Settings settings) {
    return saveUninitialized == null
        ? Boolean.TRUE.equals(settings.get(SAVE_UNINITIALIZED))
        : saveUninitialized;
  }

  private List<String> secrets(Request req) {
    return secrets.isEmpty() ? List.of(Options.secretOfParser(req, "Sessions.of()")) : secrets;
  }
}
