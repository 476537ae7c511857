package dev.percolate.middleware;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.TraitsProvider;
import dev.percolate.core.TypeRef;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.Cookies;
import dev.percolate.http.Copyable;
import dev.percolate.http.Quantity;
import dev.percolate.http.SignatureForm;
import dev.percolate.middleware.session.CookieCipher;
import dev.percolate.middleware.session.CookieValues;
import dev.percolate.middleware.session.SecureCookieNotice;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that keeps a session in a cookie. Nothing is stored on the server.
 *
 * <p>{@link #SESSION} is a map for each visitor. Its values must have JSON types, and must fit into
 * a cookie (about 4,000 characters when encoded; a warning is logged once if they do not). The
 * cookie is signed, so visitors cannot change the session. If it is {@link #encrypted}, they also
 * cannot read it.
 *
 * <p>The signed value contains the time at which the session expires, so a copy of the cookie is
 * valid only until then. This is the expiry time of the cookie, or {@link #idleTimeout} after the
 * cookie was sent. The cookie is sent again after a tenth of that time.
 *
 * <p>A changed session is sent with the response headers; a new session only if it has values.
 * Remove the attribute to end the session and clear the cookie. Clearing the map also starts a new
 * session. {@link #cookie(Request)} returns the cookie's attributes, which handlers can change for
 * this response. If a browser sends several cookies with the name, the first valid one is used. A
 * secure cookie is not sent over plain HTTP; a warning explains this once.
 *
 * <p>Each option returns a changed copy:
 *
 * <pre>
 *   key          session               the name of the cookie
 *   cookie       path /, HttpOnly,     the attributes of the cookie
 *                SameSite=Lax
 *   proxy        false                 whether X-Forwarded-Proto is trusted
 *   idleTimeout  1 day                 the life of a session whose cookie has no expiry
 * </pre>
 *
 * <p>The settings {@link #NAME} and {@link Sessions#SAME_SITE} change the defaults of {@code key}
 * and {@code SameSite}. {@link Sessions#SAVE_UNINITIALIZED} applies too. If the setting {@code
 * cookie signature} is {@code express}, signed cookies have the form of Express and no expiry time;
 * {@code both} accepts both forms.
 *
 * <p>If a browser sends several requests at the same time, the last response overwrites the cookie
 * of the others. {@link Sessions} merge the changes of such requests, and never lose a login.
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
public final class CookieSession extends Copyable<CookieSession>
    implements Middleware, TraitsProvider {

  /** The session. Remove the attribute to end the session. */
  public static final Key<Map<String, Object>> SESSION =
      Key.of("session", new TypeRef<Map<String, Object>>() {})
          .providedBy("app.use(CookieSession.of(secret))");

  /** The name of the cookie, unless {@link #key} is set. Default: {@code session}. */
  public static final Key<String> NAME = Key.of("cookie session name", String.class, "session");

  private static final Key<SessionCookie> COOKIE = Key.of("session cookie", SessionCookie.class);
  private static final System.Logger LOG = System.getLogger("dev.percolate.middleware");
  private static final String PURPOSE = "cookie session";

  /** The maximum length of name and value that browsers accept (RFC 6265bis section 5.6). */
  private static final int LONGEST = 4096;

  /** The end, the id if there is one, and the values. */
  private static final Pattern UNTIL =
      Pattern.compile("e(\\d{1,15}):(?:i([^:]{22}):)?(j:.*)", Pattern.DOTALL);

  private final @Nullable String secret;
  private final @Nullable CookieCipher cipher;
  private @Nullable String key;
  private SessionAttributes cookie = SessionAttributes.usual();
  private boolean proxy;
  private final SecureCookieNotice plainHttp = new SecureCookieNotice("CookieSession");
  private final AtomicBoolean tooLong = new AtomicBoolean();
  private Duration idleTimeout = Duration.ofDays(1);
  private LongSupplier millis = System::currentTimeMillis;

  /** Signs or encrypts the cookies of a request, and reads them. */
  private record Seal(
      SignatureForm form, String name, String secret, @Nullable CookieCipher cipher) {

    String close(String text) {
      return cipher == null
          ? form.sign(PURPOSE, name, text, secret)
          : cipher.seal(PURPOSE, name, text);
    }

    @Nullable String open(String value) {
      return cipher == null
          ? form.unsign(PURPOSE, name, value, secret)
          : cipher.open(PURPOSE, name, value);
    }

    /**
     * Returns true if the signed or encrypted value contains the time at which the session expires.
     */
    boolean hasEnd() {
      return cipher != null || form != SignatureForm.EXPRESS;
    }

    boolean mayLackEnd() {
      return cipher == null && form != SignatureForm.BOUND;
    }
  }

  /**
   * The session that a request sent.
   *
   * @param id the id of the session; null if it has none
   * @param text the values as text; null if there is no valid session
   * @param end the end, in milliseconds since 1970; {@code Long.MAX_VALUE} for none
   */
  private record Sent(
      Settings settings, Seal seal, @Nullable String id, @Nullable String text, long end) {

    boolean isOn(Key<Boolean> setting) {
      return Boolean.TRUE.equals(settings.get(setting));
    }
  }

  private CookieSession(@Nullable String secret, @Nullable CookieCipher cipher) {
    this.secret = secret;
    this.cipher = cipher;
  }

  /** Creates a session that is signed with the secret of the {@link CookieParser} before it. */
  public static CookieSession of() {
    return new CookieSession(null, null);
  }

  /**
   * Creates a session that is signed with its own secret.
   *
   * @param secret the secret, not empty
   * @return the middleware
   * @throws IllegalArgumentException if it is empty
   */
  public static CookieSession of(String secret) {
    return new CookieSession(Options.secret("CookieSession.of", secret), null);
  }

  /**
   * Creates a session that is encrypted, so that visitors cannot read it.
   *
   * @param secret a random secret of at least 16 characters
   * @return the middleware
   * @throws IllegalArgumentException if it is shorter
   */
  public static CookieSession encrypted(String secret) {
    return encrypted(List.of(secret));
  }

  /**
   * Creates a session that is encrypted with the first secret, and that accepts cookies of all
   * secrets. So you can replace a secret without ending all sessions. If you have several servers,
   * first add the new secret at the end of the list on all servers, then move it to the front.
   *
   * @param secrets random secrets, each of at least 16 characters
   * @return the middleware
   * @throws IllegalArgumentException if the list is empty, or a secret is shorter
   */
  public static CookieSession encrypted(List<String> secrets) {
    return new CookieSession("", new CookieCipher("CookieSession.encrypted", secrets));
  }

  /**
   * Returns the cookie of the session. Changes to its attributes are sent with this response.
   *
   * @param req the request
   * @throws IllegalStateException if this middleware did not run before
   */
  public static SessionCookie cookie(Request req) {
    return req.attr(COOKIE);
  }

  /**
   * Sets the name of the cookie.
   *
   * @param name a valid cookie name
   * @throws IllegalArgumentException if the name is invalid
   */
  public CookieSession key(String name) {
    return with(copy -> copy.key = Options.headerName("key", name));
  }

  /**
   * Sets the attributes of the cookie. Requests outside its path get an empty session that is not
   * kept. Secure cookies are sent over HTTPS only.
   *
   * @param change changes the default attributes: the path {@code /}, {@code HttpOnly}, {@link
   *     Sessions#SAME_SITE}
   */
  public CookieSession cookie(UnaryOperator<CookieOptions> change) {
    return with(copy -> copy.cookie = cookie.and(change));
  }

  /**
   * Sets whether {@code X-Forwarded-Proto} is trusted. Use it only if all requests come through a
   * proxy that sets this header. Default: false.
   *
   * @param proxy true to trust the header
   */
  public CookieSession proxy(boolean proxy) {
    return with(copy -> copy.proxy = proxy);
  }

  /**
   * Sets the lifetime of a session whose cookie has no expiry time, and is therefore deleted when
   * the browser closes. Default: 1 day.
   *
   * @param time the time without requests after which the session ends, at least 1 second; the
   *     actual time can be a tenth shorter
   * @throws IllegalArgumentException if it is less than a second
   */
  public CookieSession idleTimeout(Duration time) {
    Duration idle = Quantity.atLeast("idleTimeout", Duration.ofSeconds(1), time);
    return with(copy -> copy.idleTimeout = idle);
  }

  /** Sets the clock, in milliseconds since 1970, that decides when sessions end. */
  CookieSession clock(LongSupplier millis) {
    return with(copy -> copy.millis = millis);
  }

  @Override
  public MiddlewareTraits traits() {
    String weakness = secret == null || cipher != null ? null : Options.weakness(List.of(secret));
    return MiddlewareTraits.of("session")
        .authenticates()
        .provides(SESSION)
        .warns(weakness == null ? cookie.doubt(key) : weakness);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    String signing = secret == null ? Options.secretOfParser(req, "CookieSession.of()") : secret;
    Settings settings = req.settings();
    CookieOptions options = cookie.of(settings);
    req.attr(COOKIE, new SessionCookie(options));
    if (!Cookies.pathMatches(options.path(), req.originalPath())) {
      req.attr(SESSION, new CookieValues());
      next.run();
      return;
    }
    String name = key == null ? Objects.requireNonNull(settings.get(NAME)) : key;
    SignatureForm form = SignatureForm.of(settings.get(Settings.COOKIE_SIGNATURE));
    Seal seal = new Seal(form, name, signing, cipher);
    Sent sent = read(settings, seal, Cookies.all(req.get("Cookie"), name));
    req.attr(SESSION, map(sent));
    res.onHeaders(() -> save(req, res, sent));
    next.run();
  }

  /** Returns the first valid session; the first one if none is valid. */
  private Sent read(Settings settings, Seal seal, List<String> values) {
    Sent first = null;
    for (String value : values) {
      Sent sent = read(settings, seal, value);
      if (sent.text() != null) {
        return sent;
      }
      first = first == null ? sent : first;
    }
    return first == null ? read(settings, seal, "") : first;
  }

  private Sent read(Settings settings, Seal seal, String value) {
    String text = seal.open(value);
    Matcher until = UNTIL.matcher(text == null ? "" : text);
    if (seal.hasEnd() && until.matches()) {
      long end = Long.parseLong(until.group(1));
      boolean over = end <= millis.getAsLong();
      return new Sent(settings, seal, until.group(2), over ? null : until.group(3), end);
    }
    return new Sent(settings, seal, null, seal.mayLackEnd() ? text : null, Long.MAX_VALUE);
  }

  private static CookieValues map(Sent sent) {
    String text = sent.text();
    Object values = null;
    try {
      if (text != null && text.startsWith("j:")) {
        values = sent.settings().jsonCodec().read(text.substring(2));
      }
    } catch (IllegalArgumentException e) {
      // another program signed something else
    }
    return values instanceof Map<?, ?> map ? new CookieValues(sent.id(), map) : new CookieValues();
  }

  private void save(Request req, Response res, Sent sent) {
    Map<String, Object> session = req.attrOrNull(SESSION);
    SessionCookie own = cookie(req);
    if (session == null) {
      send(res, sent.seal().name(), "", own.options().cleared());
      return;
    }
    if (sent.text() == null && session.isEmpty() && !sent.isOn(Sessions.SAVE_UNINITIALIZED)) {
      return;
    }
    if (!plainHttp.allows(req, sent.seal().name(), own.secure(), proxy)) {
      return;
    }
    String text = "j:" + sent.settings().jsonCodec().write(session, JsonCodec.WriteOptions.COMPACT);
    boolean resave = cipher == null && secret == null && sent.isOn(Sessions.RESAVE);
    CookieValues known = session instanceof CookieValues values ? values : new CookieValues();
    boolean isAnother = sent.id() != null && !sent.id().equals(known.id());
    boolean changed = !text.equals(sent.text()) || isAnother;
    if (resave || own.isChanged() || isDue(sent, own) || changed) {
      own.touch();
      String ended =
          sent.seal().hasEnd() ? "e" + end(own) + ":i" + known.idToSend() + ":" + text : text;
      send(res, sent.seal().name(), sent.seal().close(ended), own.options());
    }
  }

  /**
   * Returns true if a tenth of the session's life has passed since the cookie was sent. Returns
   * false if its end is fixed.
   */
  private boolean isDue(Sent sent, SessionCookie own) {
    Double maxAge = own.originalMaxAge();
    boolean fixed = maxAge == null && own.expires() != null;
    double life = maxAge == null ? idleTimeout.toMillis() : maxAge;
    double left = (double) sent.end() - millis.getAsLong();
    return sent.seal().hasEnd() && !fixed && left < life * 0.9;
  }

  private long end(SessionCookie own) {
    Instant end = own.expires();
    return end == null
        ? millis.getAsLong() + idleTimeout.toMillis()
        : Math.max(0, end.toEpochMilli());
  }

  private void send(Response res, String name, String value, CookieOptions options) {
    String line = Cookies.serialise(name, value, options, 0);
    int length = (line + ";").indexOf(';') - 1; // without the equals sign
    if (length > LONGEST && tooLong.compareAndSet(false, true)) {
      LOG.log(
          Level.WARNING,
          """
          CookieSession: browsers ignore the cookie "%s", since it is too long, and the changes of \
          the session are lost. Store less in the session, or use Sessions. The cookie has %d \
          characters, the maximum is %d.\
          """
              .formatted(name, length, LONGEST));
    }
    res.append("Set-Cookie", line);
  }
}
