package dev.percolate.middleware;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.store.SessionStore;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.Cookies;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of the cookie of one session. After a change, the cookie is sent again.
 *
 * <p>Like its session, it belongs to one request. {@link Sessions} stores the changes with the
 * session. A {@link CookieSession} starts with the configured attributes on each request.
 */
public final class SessionCookie {

  private static final DateTimeFormatter ISO =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private CookieOptions options;
  private @Nullable Double originalMaxAge;
  private @Nullable Instant expires;
  private final Map<String, @Nullable Object> changes = new LinkedHashMap<>();

  // The lifetime and changes at the start of the request, or when the session was last stored.
  private @Nullable Life lifeBefore;
  private Map<String, @Nullable Object> changesBefore = Map.of();

  /** The lifetime of a session: either from each request on, or until a fixed time. */
  private record Life(@Nullable Long maxAge, @Nullable Long end) {}

  SessionCookie(CookieOptions options) {
    this.options = options;
    this.originalMaxAge = options.maxAge();
    this.expires = options.expires(System.currentTimeMillis());
    stored();
  }

  /** Creates the cookie of a stored session. */
  SessionCookie(CookieOptions options, SessionStore.SessionData stored) {
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

  /** Returns the time at which the session expires; null if it ends when the browser closes. */
  public @Nullable Instant expires() {
    return expires;
  }

  /**
   * Sets the time at which the session expires. Further requests do not extend it.
   *
   * @param instant the time; null to end the session when the browser closes
   * @return this cookie
   */
  public SessionCookie expires(@Nullable Instant instant) {
    expires = instant;
    originalMaxAge = null;
    return this;
  }

  /** Returns the remaining lifetime of the session, in milliseconds; null if it does not expire. */
  public @Nullable Long maxAge() {
    Instant end = expires;
    return end == null ? null : end.toEpochMilli() - System.currentTimeMillis();
  }

  /**
   * Sets the lifetime of the session, which each request restarts.
   *
   * @param millis the lifetime, in milliseconds
   * @return this cookie
   */
  public SessionCookie maxAge(long millis) {
    originalMaxAge = (double) millis;
    touch();
    return this;
  }

  /** Returns the lifetime that each request restarts, in milliseconds; null for none. */
  public @Nullable Double originalMaxAge() {
    return originalMaxAge;
  }

  /** Returns the path of the cookie. */
  public String path() {
    return options.path();
  }

  /**
   * Sets the path of the cookie. Browsers send the cookie only with requests for paths below it.
   *
   * @param path the path
   * @return this cookie
   * @throws IllegalArgumentException if the path is invalid
   */
  public SessionCookie path(String path) {
    return change("path", path, options.path());
  }

  /** Returns the domain of the cookie; null if it is sent only to this host. */
  public @Nullable String domain() {
    return options.domain();
  }

  /**
   * Sets the domain of the cookie. Browsers send the cookie to this host and its subdomains.
   *
   * @param domain the name of the host; null to send the cookie only to this host
   * @return this cookie
   * @throws IllegalArgumentException if the domain is invalid
   */
  public SessionCookie domain(@Nullable String domain) {
    return change("domain", domain, options.domain());
  }

  /** Returns true if the cookie is hidden from JavaScript. */
  public boolean httpOnly() {
    return options.httpOnly();
  }

  /**
   * Sets whether the cookie is hidden from JavaScript.
   *
   * @param on true to hide it
   * @return this cookie
   */
  public SessionCookie httpOnly(boolean on) {
    return change("httpOnly", on, options.httpOnly());
  }

  /** Returns true if the cookie is sent only over HTTPS. */
  public boolean secure() {
    return options.secure();
  }

  /**
   * Sets whether the cookie is sent only over HTTPS.
   *
   * @param on true for HTTPS only
   * @return this cookie
   */
  public SessionCookie secure(boolean on) {
    return change("secure", on, options.secure());
  }

  /** Returns the {@code SameSite} attribute; null if the cookie has none. */
  public @Nullable String sameSite() {
    return options.sameSite();
  }

  /**
   * Sets the {@code SameSite} attribute, which limits requests from other sites that carry the
   * cookie.
   *
   * @param value {@code strict}, {@code lax} or {@code none}, in any case; null for no attribute
   * @return this cookie
   * @throws IllegalArgumentException for any other value
   */
  public SessionCookie sameSite(@Nullable String value) {
    return change("sameSite", value, options.sameSite());
  }

  /** Restarts the lifetime. */
  void touch() {
    Double life = originalMaxAge;
    if (life != null) {
      expires = end(life);
    }
  }

  /** Returns the attributes to send. */
  CookieOptions options() {
    return options.cleared().expires(expires);
  }

  /** Returns the attributes by name, as they appear in JSON. */
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

  /** Returns true if a handler has changed the lifetime or attributes since they were stored. */
  boolean isChanged() {
    return !life().equals(lifeBefore) || !changes.equals(changesBefore);
  }

  /** Marks the current lifetime and attributes as stored. */
  void stored() {
    lifeBefore = life();
    changesBefore = new LinkedHashMap<>(changes);
  }

  /** Returns a new session with this cookie, to be stored. */
  SessionStore.SessionData with(String json, SessionStore.@Nullable Owner owner) {
    return new SessionStore.SessionData(json, expires, life().maxAge(), changesText(), owner);
  }

  /**
   * Returns a session to replace a stored one. It keeps the stored lifetime and attributes, unless
   * this request has changed them.
   */
  SessionStore.SessionData onto(
      SessionStore.SessionData now, String json, SessionStore.@Nullable Owner owner) {
    boolean ownLife = !life().equals(lifeBefore);
    Long maxAge = ownLife ? life().maxAge() : now.maxAge();
    Instant end = ownLife ? expires : maxAge == null ? now.expires() : end(maxAge);
    String cookie = changes.equals(changesBefore) ? now.cookie() : changesText();
    return new SessionStore.SessionData(json, end, maxAge, cookie, owner);
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
    Cookies.serialise("session", "", changed, 0); // throws if invalid
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
    return changes.isEmpty()
        ? null
        : JsonCodec.find().write(changes, JsonCodec.WriteOptions.COMPACT);
  }
}
