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
import dev.percolate.http.Copyable;
import dev.percolate.http.SignatureForm;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a session, a map for each visitor, in a cookie: nothing is stored on the server.
 *
 * <p>{@link #SESSION} is the map; what it holds must fit JSON, and a cookie (some 4000 characters).
 * The visitor cannot change it; where it is {@linkplain #encrypted encrypted}, not read it either.
 * Its end is in what is signed, so an old cookie can be sent again only until then: that of the
 * cookie, or {@link #idle} after it was sent, which happens each tenth of that time. A changed
 * session is sent when the answer starts, a new one only if it holds something; without one (the
 * attribute removed) the cookie is cleared. A session whose map was cleared is a new session.
 * {@link #cookie(Request)} are the cookie's attributes for this answer, to be changed. If a browser
 * sends several cookies of the name, the first counts that was signed or encrypted here and has not
 * ended. A secure cookie is not sent over plain HTTP, which the log explains once. It is its own
 * options; each gives a changed copy:
 *
 * <pre>
 *   key      cookie session name        the cookie's name: session
 *   cookie   path /, not for scripts,   the cookie's attributes
 *            session same site: lax
 *   proxy    false                      whether X-Forwarded-Proto tells that TLS ends before
 *   idle     1 day                      the life of a session whose cookie has none
 * </pre>
 *
 * <p>Where a setting is named, it counts unless the option is chosen; so does {@link
 * Sessions#SAVE_UNINITIALIZED}. Where the setting {@code cookie signature} is {@code express}, a
 * signed cookie is as there, and has no end; {@code both} takes such ones, too.
 *
 * <p>Since nothing is stored, requests of one browser at the same time overwrite each other's
 * cookie: the last response wins. {@link Sessions} merge their changes, and never lose a login.
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
public final class CookieSession extends Copyable<CookieSession> implements Middleware, StepKind {

  /** The session; removed, it ends. */
  public static final Key<Map<String, Object>> SESSION =
      Key.of("session", new TypeRef<Map<String, Object>>() {});

  /** The cookie's name where {@link #key} is not chosen; {@code session}. */
  public static final Key<String> NAME = Key.of("cookie session name", String.class, "session");

  private static final Key<SessionCookie> COOKIE = Key.of("session cookie", SessionCookie.class);
  private static final String PURPOSE = "cookie session";

  /** The end time, the id if there is one, and the values. */
  private static final Pattern UNTIL =
      Pattern.compile("e(\\d{1,15}):(?:i([^:]{22}):)?(j:.*)", Pattern.DOTALL);

  private static final Duration USUAL_IDLE = Duration.ofDays(1);

  private final @Nullable String secret;
  private final @Nullable CookieCipher cipher;
  private @Nullable String key;
  private SessionAttributes cookie = SessionAttributes.usual();
  private boolean proxy;
  private final SecureCookieNotice plainHttp = new SecureCookieNotice("CookieSession");
  private Duration idle = USUAL_IDLE;

  /** How the cookies of a request are made and read. */
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

    /** Tells whether the end is in what is protected. */
    boolean hasEnd() {
      return cipher != null || form != SignatureForm.EXPRESS;
    }

    boolean mayLackEnd() {
      return cipher == null && form != SignatureForm.BOUND;
    }
  }

  /**
   * What a request has sent.
   *
   * @param id the id of the session; null if it has none
   * @param text the session; null for none
   * @param end when it ends, in milliseconds since 1970; the greatest number for never
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

  /** Signs with the secret of the {@link CookieParser} above. */
  public static CookieSession of() {
    return new CookieSession(null, null);
  }

  /**
   * Signs with a secret of its own.
   *
   * @param secret the secret, not empty
   * @return the middleware
   * @throws IllegalArgumentException if it is empty
   */
  public static CookieSession of(String secret) {
    return new CookieSession(Options.secret("CookieSession.of", secret), null);
  }

  /**
   * Encrypts with a secret of its own, so that visitors cannot read what is in their sessions.
   *
   * @param secret the secret, at least 16 characters that nobody can guess
   * @return the middleware
   * @throws IllegalArgumentException if it is shorter
   */
  public static CookieSession encrypted(String secret) {
    return encrypted(List.of(secret));
  }

  /**
   * Encrypts with the first of several secrets, and takes what was encrypted with any of them: so a
   * secret can be replaced without ending all sessions. On several servers the new one is added
   * behind the old one first, and made the first one when all have it.
   *
   * @param secrets the secrets, each at least 16 characters that nobody can guess
   * @return the middleware
   * @throws IllegalArgumentException if there is none, or one is shorter
   */
  public static CookieSession encrypted(List<String> secrets) {
    return new CookieSession("", new CookieCipher("CookieSession.encrypted", secrets));
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
    String checked = Options.headerName("key", name);
    return with(copy -> copy.key = checked);
  }

  /**
   * Chooses the cookie's attributes. Requests outside of its path get an empty session that is not
   * kept; a secure one is sent over TLS only.
   *
   * @param change changes the attributes: the path {@code /}, not for scripts, {@link
   *     Sessions#SAME_SITE}
   */
  public CookieSession cookie(UnaryOperator<CookieOptions> change) {
    SessionAttributes changed = cookie.and(change);
    return with(copy -> copy.cookie = changed);
  }

  /**
   * Chooses whether {@code X-Forwarded-Proto} is believed. Only right where every request comes
   * through a proxy that sets it.
   *
   * @param proxy true to believe it
   */
  public CookieSession proxy(boolean proxy) {
    return with(copy -> copy.proxy = proxy);
  }

  /**
   * Chooses the life of a session whose cookie has none of its own, so that the browser forgets it
   * when it ends.
   *
   * @param time how long it lives without use; a tenth of it less, at worst
   * @throws IllegalArgumentException if it is less than a second
   */
  public CookieSession idle(Duration time) {
    if (time.toSeconds() < 1) {
      throw new IllegalArgumentException("idle(" + time + "): less than a second");
    }
    return with(copy -> copy.idle = time);
  }

  @Override
  public StepTraits traits() {
    return StepTraits.of("session").authenticates().gives(SESSION);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    String signing = secret == null ? req.attrOrNull(Request.SECRET) : secret;
    if (cipher == null && (signing == null || signing.isEmpty())) {
      throw new IllegalStateException(
          "CookieSession.of(): no secret; does a CookieParser with one stand above?");
    }
    Settings settings = req.settings();
    CookieOptions options = cookie.of(settings);
    req.attr(COOKIE, new SessionCookie(options));
    if (!SessionCookie.covers(options, req)) {
      req.attr(SESSION, new CookieValues());
      next.run();
      return;
    }
    String name = key == null ? Objects.requireNonNull(settings.get(NAME)) : key;
    SignatureForm form = SignatureForm.of(settings.get(Settings.COOKIE_SIGNATURE));
    Seal seal = new Seal(form, name, signing == null ? "" : signing, cipher);
    Sent sent = read(settings, seal, Cookies.all(req.get("Cookie"), name));
    req.attr(SESSION, map(sent));
    res.onHeaders(() -> save(req, res, sent));
    next.run();
  }

  /** Returns the first session that is whole and has not ended; without one, the first. */
  private static Sent read(Settings settings, Seal seal, List<String> values) {
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

  private static Sent read(Settings settings, Seal seal, String value) {
    String text = seal.open(value);
    Matcher until = UNTIL.matcher(text == null ? "" : text);
    if (seal.hasEnd() && until.matches()) {
      long end = Long.parseLong(until.group(1));
      boolean over = end <= System.currentTimeMillis();
      return new Sent(settings, seal, until.group(2), over ? null : until.group(3), end);
    }
    return new Sent(settings, seal, null, seal.mayLackEnd() ? text : null, Long.MAX_VALUE);
  }

  private static CookieValues map(Sent sent) {
    String text = sent.text();
    if (text == null || !text.startsWith("j:")) {
      return new CookieValues();
    }
    try {
      return sent.settings().jsonCodec().read(text.substring(2)) instanceof Map<?, ?> map
          ? new CookieValues(sent.id(), map)
          : new CookieValues();
    } catch (IllegalArgumentException e) {
      return new CookieValues(); // signed by a program that writes something else
    }
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
    if (own.secure() && !SessionCookie.secure(req, proxy)) {
      plainHttp.note(req, sent.seal().name(), false);
      return;
    }
    String text = "j:" + sent.settings().jsonCodec().write(session, JsonCodec.Style.COMPACT);
    boolean resave = cipher == null && secret == null && sent.isOn(Sessions.RESAVE);
    boolean changed = !text.equals(sent.text()) || isAnother(session, sent);
    if (resave || own.isChanged() || isDue(sent, own) || changed) {
      own.touch();
      String ended =
          sent.seal().hasEnd() ? "e" + end(own) + ":i" + idToSend(session) + ":" + text : text;
      send(res, sent.seal().name(), sent.seal().close(ended), own.options());
    }
  }

  /** Returns true if this is not the session that the client sent, even if the values are equal. */
  private static boolean isAnother(Map<String, Object> session, Sent sent) {
    return sent.id() != null
        && !(session instanceof CookieValues known && sent.id().equals(known.id()));
  }

  private static String idToSend(Map<String, Object> session) {
    return (session instanceof CookieValues known ? known : new CookieValues()).idToSend();
  }

  /** Returns the id of the session that a request sent; null if it sent none. */
  static @Nullable String id(Request req) {
    return req.attrOrNull(SESSION) instanceof CookieValues sent ? sent.id() : null;
  }

  /**
   * Tells whether a tenth of the life is over since the cookie was sent, unless its end is fixed.
   */
  private boolean isDue(Sent sent, SessionCookie own) {
    Double maxAge = own.originalMaxAge();
    boolean fixed = maxAge == null && own.expires() != null;
    double life = maxAge == null ? idle.toMillis() : maxAge;
    double left = (double) sent.end() - System.currentTimeMillis();
    return sent.seal().hasEnd() && !fixed && left < life * 0.9;
  }

  private long end(SessionCookie own) {
    Instant end = own.expires();
    return end == null
        ? System.currentTimeMillis() + idle.toMillis()
        : Math.max(0, end.toEpochMilli());
  }

  private static void send(Response res, String name, String value, CookieOptions options) {
    res.append("Set-Cookie", Cookies.serialise(name, value, options, 0));
  }
}
