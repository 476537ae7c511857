package dev.percolate.middleware;

import dev.percolate.core.Request;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.Target;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds the attributes of one session's cookie, of which handlers may change the life.
 *
 * <p>Like the session it belongs to one request.
 */
public final class SessionCookie {

  private static final DateTimeFormatter ISO =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final CookieOptions options;
  private @Nullable Double originalMaxAge;
  private @Nullable Instant expires;

  SessionCookie(CookieOptions options) {
    this.options = options;
    this.originalMaxAge = options.maxAge();
    this.expires = options.expires(System.currentTimeMillis());
  }

  /** Gives the cookie of a stored session. */
  SessionCookie(CookieOptions options, SessionStore.Stored stored) {
    this.options = options;
    this.originalMaxAge = stored.maxAge() == null ? null : stored.maxAge().doubleValue();
    this.expires = stored.expires();
  }

  /** Gives the end of the session's life; null for that of the browser's session. */
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

  /** Gives how long the session has to live, in milliseconds; null if it has no end. */
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

  /** Gives the life that each request begins anew, in milliseconds; null for none. */
  public @Nullable Double originalMaxAge() {
    return originalMaxAge;
  }

  /** Gives the path that the cookie is sent to. */
  public String path() {
    return options.path();
  }

  /** Gives the hosts that the cookie is sent to; null for this one. */
  public @Nullable String domain() {
    return options.domain();
  }

  /** Tells whether scripts of pages cannot see the cookie. */
  public boolean httpOnly() {
    return options.httpOnly();
  }

  /** Tells whether the cookie is sent over TLS only. */
  public boolean secure() {
    return options.secure();
  }

  /** Begins the life anew. */
  void touch() {
    Double life = originalMaxAge;
    if (life != null) {
      expires = options.maxAge(life).expires(System.currentTimeMillis());
    }
  }

  /** Gives the attributes to send. */
  CookieOptions options() {
    return withoutAge(options).expires(expires);
  }

  /** Gives the attributes by name, as JSON shows them. */
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
    return map;
  }

  /** Tells whether a request lies within the path of a cookie. */
  static boolean covers(CookieOptions cookie, Request req) {
    return Target.path(req.originalUrl()).startsWith(cookie.path());
  }

  /**
   * Tells whether a request came over TLS.
   *
   * @param proxy true to believe the header of proxies; false for the connection alone
   */
  static boolean secure(Request req, boolean proxy) {
    String forwarded = proxy ? req.get("X-Forwarded-Proto") : null;
    boolean told =
        forwarded != null
            && forwarded.split(",", 2)[0].trim().toLowerCase(Locale.ROOT).equals("https");
    return told || req.encrypted();
  }

  /** Gives attributes with a date in the place of an age. */
  static CookieOptions dated(CookieOptions cookie) {
    return withoutAge(cookie).expires(cookie.expires(System.currentTimeMillis()));
  }

  private static CookieOptions withoutAge(CookieOptions cookie) {
    return cookie.cleared().expires(cookie.expires());
  }
}
