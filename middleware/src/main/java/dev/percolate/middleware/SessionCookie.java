package dev.percolate.middleware;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import dev.percolate.core.store.SessionStore;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.Cookies;
import dev.percolate.http.Forwarded;
import dev.percolate.http.Trust;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Holds the attributes of one session's cookie, which handlers may change for this session: it is
 * sent again with them.
 *
 * <p>Like the session it belongs to one request. What {@link Sessions} keeps is kept with the
 * changes; a {@link CookieSession} has the usual attributes again with the next request.
 */
public final class SessionCookie {

  private static final DateTimeFormatter ISO =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private CookieOptions options;
  private @Nullable Double originalMaxAge;
  private @Nullable Instant expires;
  private final Map<String, @Nullable Object> changes = new LinkedHashMap<>();

  // What life and changes were when the request began, or was stored last.
  private @Nullable Life lifeBefore;
  private Map<String, @Nullable Object> changesBefore = Map.of();

  /** How long a session lives: from each request on, or until a fixed end. */
  private record Life(@Nullable Long maxAge, @Nullable Long end) {}

  SessionCookie(CookieOptions options) {
    this.options = options;
    this.originalMaxAge = options.maxAge();
    this.expires = options.expires(System.currentTimeMillis());
    stored();
  }

  /** Creates the cookie of a stored session. */
  SessionCookie(CookieOptions options, SessionStore.Stored stored) {
    this.options = options;
    this.originalMaxAge = stored.maxAge() == null ? null : stored.maxAge().doubleValue();
    this.expires = stored.expires();
    String cookie = stored.cookie();
    if (cookie != null && JsonCodec.find().read(cookie) instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> change : map.entrySet()) {
        String name = String.valueOf(change.getKey());
        this.options = changed(name, change.getValue());
        changes.put(name, change.getValue());
      }
    }
    stored();
  }

  /** Returns the end of the session's life; null for that of the browser's session. */
  public @Nullable Instant expires() {
    return expires;
  }

  /**
   * Sets the end of the session's life; further requests do not prolong it.
   *
   * @param instant the end; null for that of the browser's session
   * @return this cookie
   */
  public SessionCookie expires(@Nullable Instant instant) {
    expires = instant;
    originalMaxAge = null;
    return this;
  }

  /** Returns how long the session has to live, in milliseconds; null if it has no end. */
  public @Nullable Long maxAge() {
    Instant end = expires;
    return end == null ? null : end.toEpochMilli() - System.currentTimeMillis();
  }

  /**
   * Sets how long the session lives from now on; each further request begins it anew.
   *
   * @param millis milliseconds
   * @return this cookie
   */
  public SessionCookie maxAge(long millis) {
    originalMaxAge = (double) millis;
    touch();
    return this;
  }

  /** Returns the life that each request begins anew, in milliseconds; null for none. */
  public @Nullable Double originalMaxAge() {
    return originalMaxAge;
  }

  /** Returns the path that the cookie is sent to. */
  public String path() {
    return options.path();
  }

  /**
   * Sets the path that the cookie is sent to.
   *
   * @param path the common beginning of the paths
   * @return this cookie
   * @throws IllegalArgumentException if it would break the header
   */
  public SessionCookie path(String path) {
    return change("path", path, options.path());
  }

  /** Returns the hosts that the cookie is sent to; null for this one. */
  public @Nullable String domain() {
    return options.domain();
  }

  /**
   * Sets the hosts that the cookie is sent to.
   *
   * @param domain a host's name; null for this host alone
   * @return this cookie
   * @throws IllegalArgumentException if it would break the header
   */
  public SessionCookie domain(@Nullable String domain) {
    return change("domain", domain, options.domain());
  }

  /** Tells whether scripts of pages cannot see the cookie. */
  public boolean httpOnly() {
    return options.httpOnly();
  }

  /**
   * Chooses whether the cookie is hidden from scripts of pages.
   *
   * @param on true to hide it
   * @return this cookie
   */
  public SessionCookie httpOnly(boolean on) {
    return change("httpOnly", on, options.httpOnly());
  }

  /** Tells whether the cookie is sent over TLS only. */
  public boolean secure() {
    return options.secure();
  }

  /**
   * Chooses whether the cookie is sent over TLS only.
   *
   * @param on true for TLS only
   * @return this cookie
   */
  public SessionCookie secure(boolean on) {
    return change("secure", on, options.secure());
  }

  /** Returns which requests from pages of other sites carry the cookie; null for no attribute. */
  public @Nullable String sameSite() {
    return options.sameSite();
  }

  /**
   * Chooses which requests from pages of other sites carry the cookie.
   *
   * @param value {@code strict}, {@code lax} or {@code none}, in any case; null for no attribute
   * @return this cookie
   * @throws IllegalArgumentException for any other value
   */
  public SessionCookie sameSite(@Nullable String value) {
    return change("sameSite", value, options.sameSite());
  }

  /** Begins the life anew. */
  void touch() {
    Double life = originalMaxAge;
    if (life != null) {
      expires = end(life);
    }
  }

  /** Returns the attributes to send. */
  CookieOptions options() {
    return withoutAge(options).expires(expires);
  }

  /** Returns the attributes by name, as JSON shows them. */
  public Map<String, @Nullable Object> toMap() {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("originalMaxAge", originalMaxAge == null ? null : Math.round(originalMaxAge));
    map.put("expires", expires == null ? null : ISO.format(expires));
    if (options.secure()) {
      map.put("secure", true);
    }
    map.put("httpOnly", options.httpOnly());
    if (options.domain() != null) {
      map.put("domain", options.domain());
    }
    map.put("path", options.path());
    if (options.sameSite() != null) {
      map.put("sameSite", options.sameSite());
    }
    return map;
  }

  /** Tells whether a handler has changed life or attributes since they were stored. */
  boolean isChanged() {
    return !life().equals(lifeBefore) || !changes.equals(changesBefore);
  }

  /** Notes that the store has it as it is. */
  void stored() {
    lifeBefore = life();
    changesBefore = new LinkedHashMap<>(changes);
  }

  /** Returns a new session with this cookie, as it is to be stored. */
  SessionStore.Stored with(String json, @Nullable String owner) {
    return new SessionStore.Stored(json, expires, life().maxAge(), changesText(), owner);
  }

  /**
   * Returns a session as it is to be stored in the place of one: with the life and the attributes
   * of that one, unless a handler has changed them here.
   */
  SessionStore.Stored onto(SessionStore.Stored now, String json, @Nullable String owner) {
    boolean ownLife = !life().equals(lifeBefore);
    Long maxAge = ownLife ? life().maxAge() : now.maxAge();
    Instant end = ownLife ? expires : maxAge == null ? now.expires() : end(maxAge);
    String cookie = changes.equals(changesBefore) ? now.cookie() : changesText();
    return new SessionStore.Stored(json, end, maxAge, cookie, owner);
  }

  /** Tells whether a request lies within the path of a cookie. */
  static boolean covers(CookieOptions cookie, Request req) {
    return req.originalPath().startsWith(cookie.path());
  }

  /**
   * Tells whether a request came over TLS.
   *
   * @param proxy true to believe the header of proxies; false for the connection alone
   */
  static boolean secure(Request req, boolean proxy) {
    String own = req.encrypted() ? "https" : "http";
    Forwarded forwarded = new Forwarded(req.headers(), req.remoteAddress(), Trust.of(proxy));
    return req.encrypted() || forwarded.protocol(own).equals("https");
  }

  private Life life() {
    Double life = originalMaxAge;
    Instant end = expires;
    return life != null
        ? new Life(Math.round(life), null)
        : new Life(null, end == null ? null : end.toEpochMilli());
  }

  private @Nullable Instant end(double maxAge) {
    return options.maxAge(maxAge).expires(System.currentTimeMillis());
  }

  private SessionCookie change(String name, @Nullable Object value, @Nullable Object known) {
    CookieOptions changed = changed(name, value);
    Cookies.serialise("session", "", changed, 0); // refuses what breaks the header
    if (!Objects.equals(value, known)) {
      changes.put(name, value);
      options = changed;
    }
    return this;
  }

  private CookieOptions changed(String name, @Nullable Object value) {
    String text = value instanceof String known ? known : null;
    boolean on = Boolean.TRUE.equals(value);
    return switch (name) {
      case "path" -> options.path(text);
      case "domain" -> options.domain(text);
      case "httpOnly" -> options.httpOnly(on);
      case "secure" -> options.secure(on);
      case "sameSite" -> options.sameSite(text);
      default -> options;
    };
  }

  private @Nullable String changesText() {
    return changes.isEmpty() ? null : JsonCodec.find().write(changes, JsonCodec.Style.COMPACT);
  }

  private static CookieOptions withoutAge(CookieOptions cookie) {
    return cookie.cleared().expires(cookie.expires());
  }
}
