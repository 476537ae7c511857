package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.StartCheck;
import dev.percolate.core.StepKind;
import dev.percolate.core.StepTraits;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.StoreUnavailable;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.Copyable;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Remembers visitors: each has a {@link Session} that is kept on the server under an id, which a
 * signed cookie brings back with every request.
 *
 * <p>An id that the store does not know, even a signed one, is never taken over: such a visitor
 * gets a new one. A session is loaded when a step looks at it first; requests that do not look cost
 * the store nothing, and do not prolong its life. A new session is stored, and its cookie set, once
 * something has been put into it before the head of the answer goes out; at the end of each answer
 * only what the request has changed is stored, before the answer ends. Without an own secret that
 * of the {@link CookieParser} above counts.
 *
 * <p>If a browser sends several cookies of the name, the first counts that has a right signature
 * and a session in the store. A request that is under way while another one of the same browser
 * {@linkplain Session#regenerate logs in} or out never replaces the new cookie; see {@link
 * #OVERLAP}. It is its own options; each gives a changed copy:
 *
 * <pre>
 *   name                session name               the cookie's name: sid
 *   cookie              path /, not for scripts,   the cookie's attributes, the session's life
 *                       session same site: lax
 *   store               in memory                  where sessions are kept
 *   genid               192 random bits            makes ids
 *   resave              session resave: false      whether unchanged sessions are stored again
 *   saveUninitialized   session save               whether new ones are stored that hold nothing
 *                       uninitialized: false
 *   rolling             false                      whether every response sets the cookie of a
 *                                                  session that is stored
 *   proxy               trust proxy                whether X-Forwarded-Proto tells of TLS
 *   unset               keep                       what becomes of sessions removed from a request
 *   touchEvery          a tenth of the life        how often the life of a session begins anew
 *   onFailure           REFUSE                     what requests get while the store fails
 * </pre>
 *
 * <p>Where a setting is named, it counts unless the option is chosen. The cookie goes over TLS only
 * if that is chosen, as below: a server behind a proxy cannot know whether its visitors use TLS. A
 * secure cookie is not sent over plain HTTP, which the log explains once.
 *
 * <pre>{@code
 * app.use(Sessions.of(System.getenv("SECRET"))
 *     .cookie(c -> c.secure(true).maxAge(8 * 60 * 60 * 1000)));
 * app.post("/login", (req, res) -> {
 *   User user = users.verify(req);
 *   req.attr(Sessions.SESSION).regenerate().put("user", user.name());
 *   res.redirect("/");
 * });
 * }</pre>
 */
@CheckReturnValue
public final class Sessions extends Copyable<Sessions> implements Middleware, StartCheck, StepKind {

  /** The session of the request; absent once it is destroyed. */
  public static final Key<Session> SESSION = Key.of("session", Session.class);

  /** The cookie's name where {@link #name} is not chosen; {@code sid}. */
  public static final Key<String> NAME = Key.of("session name", String.class, "sid");

  /**
   * Which requests from pages of other sites carry the cookies of sessions, of {@link
   * CookieSession} too: {@code lax}, {@code strict}, {@code none}, or false to leave that to the
   * browser. What the option {@code cookie} says wins.
   */
  public static final Key<Object> SAME_SITE = Key.of("session same site", Object.class, "lax");

  /** Whether unchanged sessions are stored again, where {@link #resave} is not chosen; false. */
  public static final Key<Boolean> RESAVE = Key.of("session resave", Boolean.class, false);

  /**
   * Whether new sessions that hold nothing are stored and their cookie set, of {@link
   * CookieSession} too, where {@link #saveUninitialized} is not chosen; false.
   */
  public static final Key<Boolean> SAVE_UNINITIALIZED =
      Key.of("session save uninitialized", Boolean.class, false);

  /**
   * How long requests with the id of a {@linkplain Session#regenerate regenerated} session may
   * still arrive: the browser has sent them before it got the cookie of the new session, and their
   * responses set no cookie. Default: 10 seconds; zero for requests that arrived before only.
   */
  public static final Key<Duration> OVERLAP =
      Key.of("session overlap", Duration.class, Duration.ofSeconds(10));

  /** What requests get while the store of sessions fails. */
  public enum OnFailure {
    /** What looks at its session gets {@link StoreUnavailable}: 503, with {@code Retry-After}. */
    REFUSE,
    /**
     * Who comes with a session that cannot be loaded gets an empty one that is not stored, as if
     * logged out for the moment. What has to be stored or removed still fails as with {@link
     * #REFUSE}.
     */
    ANONYMOUS
  }

  private static final int ID_BYTES = 24;
  private static final SecureRandom RANDOM = new SecureRandom();

  private List<String> secrets;
  private @Nullable String name;
  private SessionAttributes cookie = SessionAttributes.usual();
  private SessionStore store = MemorySessions.of();
  private Function<Request, String> genid = req -> randomId();
  private @Nullable Boolean resave;
  private @Nullable Boolean saveUninitialized;
  private boolean rolling;
  private @Nullable Boolean proxy;
  private boolean destroyUnset;
  private @Nullable Duration touchEvery;
  private OnFailure onFailure = OnFailure.REFUSE;
  private final StoreFailures failures = new StoreFailures("the store of sessions");
  private final SecureCookieNotice plainHttp = new SecureCookieNotice("Sessions");

  private Sessions(List<String> secrets) {
    this.secrets = secrets;
  }

  /** Signs ids with the secret of the {@link CookieParser} above. */
  public static Sessions of() {
    return new Sessions(List.of());
  }

  /**
   * Signs ids with a secret.
   *
   * @param secret the secret, not empty
   * @return the middleware
   * @throws IllegalArgumentException if it is empty
   */
  public static Sessions of(String secret) {
    return of(List.of(secret));
  }

  /**
   * Signs ids with the first of several secrets, and takes those signed with any of them: so a
   * secret can be replaced without ending all sessions.
   *
   * @param secrets the secrets, none empty
   * @return the middleware
   * @throws IllegalArgumentException if there is none, or one is empty
   */
  public static Sessions of(List<String> secrets) {
    if (secrets.isEmpty()) {
      throw new IllegalArgumentException("Sessions.of([]): no secret");
    }
    secrets.forEach(secret -> Options.secret("Sessions.of", secret));
    return new Sessions(List.copyOf(secrets));
  }

  /**
   * Chooses the cookie's name.
   *
   * @param name a token
   * @throws IllegalArgumentException if it is none
   */
  public Sessions name(String name) {
    String checked = Options.headerName("name", name);
    return with(copy -> copy.name = checked);
  }

  /**
   * Chooses the cookie's attributes. Its {@code maxAge} is the session's life, which every request
   * begins anew. Requests outside of its path have no session; a secure one goes out over TLS only.
   *
   * @param change changes the attributes: the path {@code /}, not for scripts, {@link #SAME_SITE}
   */
  public Sessions cookie(UnaryOperator<CookieOptions> change) {
    SessionAttributes changed = cookie.and(change);
    return with(copy -> copy.cookie = changed);
  }

  /**
   * Chooses where sessions are kept.
   *
   * @param store the store
   */
  public Sessions store(SessionStore store) {
    return with(copy -> copy.store = store);
  }

  /**
   * Chooses how ids are made.
   *
   * @param genid makes an id that nobody can guess, and that was never used
   */
  public Sessions genid(Function<Request, String> genid) {
    return with(copy -> copy.genid = genid);
  }

  /**
   * Chooses whether sessions are stored at the end of every request, or only if it has changed
   * them. Either way, what it has not changed stays as other requests have left it.
   *
   * @param resave false to store those that have changed; the life of others is prolonged
   */
  public Sessions resave(boolean resave) {
    return with(copy -> copy.resave = resave);
  }

  /**
   * Chooses whether new sessions that hold nothing are stored, and their cookie set. A client that
   * sends no cookie makes one with each request.
   *
   * @param saveUninitialized false to forget them
   */
  public Sessions saveUninitialized(boolean saveUninitialized) {
    return with(copy -> copy.saveUninitialized = saveUninitialized);
  }

  /**
   * Sets whether every response sets the cookie, so that its life begins anew in the browser, too.
   * An untouched new session sets none, unless {@link #saveUninitialized} is set. Default: false.
   *
   * @param rolling true to set it with every response
   */
  public Sessions rolling(boolean rolling) {
    return with(copy -> copy.rolling = rolling);
  }

  /**
   * Chooses whether {@code X-Forwarded-Proto} is believed where the cookie is to go over TLS only.
   * Unless this is chosen, {@link Request#secure} decides, by the setting {@code trust proxy}.
   *
   * @param proxy true to believe it, false for the connection alone
   */
  public Sessions proxy(boolean proxy) {
    return with(copy -> copy.proxy = proxy);
  }

  /**
   * Chooses what becomes of a session that a handler removes from its request without destroying
   * it.
   *
   * @param unset {@code keep} to leave the stored one as it was, {@code destroy} to remove it
   * @throws IllegalArgumentException if it is another text
   */
  public Sessions unset(String unset) {
    if (!unset.equals("keep") && !unset.equals("destroy")) {
      throw new IllegalArgumentException("unset(\"" + unset + "\"): neither keep nor destroy");
    }
    return with(copy -> copy.destroyUnset = unset.equals("destroy"));
  }

  /**
   * Chooses how often the life of a session begins anew in its store, whatever the number of
   * requests; it may end earlier by that, at most. Unless this is chosen, each tenth of its life.
   *
   * @param pause nothing to do so with each request that looks at its session
   * @throws IllegalArgumentException if it is negative
   */
  public Sessions touchEvery(Duration pause) {
    if (pause.isNegative()) {
      throw new IllegalArgumentException("touchEvery(" + pause + "): negative");
    }
    return with(copy -> copy.touchEvery = pause);
  }

  /**
   * Chooses what requests get while the store fails. A warning a minute says that it does.
   *
   * @param onFailure what they get
   */
  public Sessions onFailure(OnFailure onFailure) {
    return with(copy -> copy.onFailure = onFailure);
  }

  @Override
  public void checkStart() {
    // Without a server there is nothing to check.
  }

  @Override
  public void checkStart(ListenOptions options) {
    StoreFailures.checkWaits(store.waits(), store, "Sessions", options);
  }

  @Override
  public StepTraits traits() {
    return StepTraits.of("session").authenticates().gives(SESSION);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    if (req.attrOrNull(CookieSession.SESSION) == null
        && SessionCookie.covers(cookieOptions(req.settings()), req)) {
      new SessionVisit(this, req, res, secretsOf(req)).begin();
    }
    next.run();
  }

  String name(Settings settings) {
    return name == null ? Objects.requireNonNull(settings.get(NAME)) : name;
  }

  CookieOptions cookieOptions(Settings settings) {
    return cookie.of(settings);
  }

  SessionStore store() {
    return store;
  }

  String newId(Request req) {
    return genid.apply(req);
  }

  boolean resaves(Settings settings) {
    return resave == null ? Boolean.TRUE.equals(settings.get(RESAVE)) : resave;
  }

  boolean savesUninitialized(Settings settings) {
    return saveUninitialized == null
        ? Boolean.TRUE.equals(settings.get(SAVE_UNINITIALIZED))
        : saveUninitialized;
  }

  boolean rolls() {
    return rolling;
  }

  @Nullable Duration touchEvery() {
    return touchEvery;
  }

  boolean goesOnWithout() {
    return onFailure == OnFailure.ANONYMOUS;
  }

  StoreFailures failures() {
    return failures;
  }

  SecureCookieNotice plainHttp() {
    return plainHttp;
  }

  @Nullable Boolean proxied() {
    return proxy;
  }

  boolean destroysUnset() {
    return destroyUnset;
  }

  private List<String> secretsOf(Request req) {
    String parsers = secrets.isEmpty() ? req.attrOrNull(Request.SECRET) : null;
    List<String> found = parsers == null || parsers.isEmpty() ? secrets : List.of(parsers);
    if (found.isEmpty()) {
      throw new IllegalStateException(
          "Sessions.of(): no secret; does a CookieParser with one stand above?");
    }
    return found;
  }

  private static String randomId() {
    byte[] random = new byte[ID_BYTES];
    RANDOM.nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }
}
