package dev.percolate.http;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a cookie. Immutable; each option returns a changed copy. The options and their
 * defaults:
 *
 * <ul>
 *   <li>{@code maxAge}, none: the lifetime in milliseconds; overrides {@code expires};
 *   <li>{@code domain}, none: the hosts that receive the cookie;
 *   <li>{@code path}, {@code /}: the paths that receive the cookie; an empty path is omitted;
 *   <li>{@code expires}, none: the time at which the cookie expires;
 *   <li>{@code httpOnly}, false: whether the cookie is hidden from scripts;
 *   <li>{@code secure}, false: whether the cookie is sent over TLS only;
 *   <li>{@code signed}, false: whether the value is signed, so that changes are detected;
 *   <li>{@code sameSite}, none: whether requests from other sites include the cookie;
 *   <li>{@code partitioned}, false: whether each embedding site has its own copy of the cookie;
 *   <li>{@code priority}, none: which cookies browsers evict first;
 *   <li>{@code encode}, {@link Percent#encodeComponent}: how the value is encoded.
 * </ul>
 */
public final class CookieOptions extends Copyable<CookieOptions> {
  private static final double LAST_MILLIS = 253_402_300_799_000d;
  private static final Map<String, String> SAME_SITE =
      Map.of("strict", "Strict", "lax", "Lax", "none", "None");
  private static final Map<String, String> PRIORITY =
      Map.of("low", "Low", "medium", "Medium", "high", "High");
  private static final CookieOptions NONE = new CookieOptions();

  private @Nullable Double maxAge;
  private @Nullable String domain;
  private String path = "/";
  private @Nullable Instant expires;
  private boolean httpOnly;
  private boolean secure;
  private boolean signed;
  private @Nullable String sameSite;
  private boolean partitioned;
  private @Nullable String priority;
  private UnaryOperator<String> encode = Percent::encodeComponent;

  private CookieOptions() {}

  /** Returns the default options: the path {@code /} and no other attributes. */
  public static CookieOptions none() {
    return NONE;
  }

  /**
   * Sets the lifetime of the cookie. Default: until the browser session ends.
   *
   * @param millis the lifetime in milliseconds; 0 and negative numbers delete the cookie
   * @throws IllegalArgumentException if the number is not finite
   */
  public CookieOptions maxAge(double millis) {
    if (!Double.isFinite(millis)) {
      throw new IllegalArgumentException("maxAge must be a finite number, was " + millis);
    }
    return with(copy -> copy.maxAge = millis);
  }

  /**
   * Sets the domain of the cookie: it is sent to this host and its subdomains.
   *
   * @param domain the name of a host; null for only the host that sets the cookie
   * @throws IllegalArgumentException if the name has a port or a scheme, since browsers ignore such
   *     a cookie
   */
  public CookieOptions domain(@Nullable String domain) {
    if (domain != null && domain.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "domain must be the name of a host without a port, was \""
              + LogText.escape(domain)
              + "\"");
    }
    return with(copy -> copy.domain = domain);
  }

  /**
   * Sets the paths that receive the cookie. Default: {@code /}.
   *
   * @param path the prefix of the paths; empty to omit the attribute, null for {@code /}
   * @throws IllegalArgumentException if the path does not start with a slash, since browsers ignore
   *     such a path
   */
  public CookieOptions path(@Nullable String path) {
    if (path != null && !path.isEmpty() && path.charAt(0) != '/') {
      throw new IllegalArgumentException(
          "path must start with \"/\", was \"" + LogText.escape(path) + "\"");
    }
    return with(copy -> copy.path = path == null ? "/" : path);
  }

  /**
   * Sets the time at which the cookie expires.
   *
   * @param instant the time; null for the end of the browser session
   */
  public CookieOptions expires(@Nullable Instant instant) {
    return with(copy -> copy.expires = instant);
  }

  /**
   * Sets whether the cookie is hidden from scripts. Default: false.
   *
   * @param on true to hide the cookie
   */
  public CookieOptions httpOnly(boolean on) {
    return with(copy -> copy.httpOnly = on);
  }

  /**
   * Sets whether the cookie is sent over TLS only. Default: false.
   *
   * @param on true for TLS only
   */
  public CookieOptions secure(boolean on) {
    return with(copy -> copy.secure = on);
  }

  /**
   * Sets whether the value is signed. Default: false. A signed value is sent as {@code s:}, the
   * value and its signature.
   *
   * @param on true to sign the value
   */
  public CookieOptions signed(boolean on) {
    return with(copy -> copy.signed = on);
  }

  /** Returns whether the value is to be signed. {@link Cookies#serialise} does not sign it. */
  public boolean signed() {
    return signed;
  }

  /** Returns the lifetime in milliseconds; null if it was not set. */
  public @Nullable Double maxAge() {
    return maxAge;
  }

  /** Returns the domain of the cookie; null for only the host that sets the cookie. */
  public @Nullable String domain() {
    return domain;
  }

  /** Returns the prefix of the paths that receive the cookie. */
  public String path() {
    return path;
  }

  /** Returns the time at which the cookie expires; null if it was not set. */
  public @Nullable Instant expires() {
    return expires;
  }

  /** Returns whether the cookie is hidden from scripts. */
  public boolean httpOnly() {
    return httpOnly;
  }

  /** Returns whether the cookie is sent over TLS only. */
  public boolean secure() {
    return secure;
  }

  /**
   * Returns the SameSite attribute: {@code Strict}, {@code Lax} or {@code None}; null if it was not
   * set.
   */
  public @Nullable String sameSite() {
    return sameSite;
  }

  /**
   * Returns the time at which the cookie expires: {@code now} plus {@code maxAge}, else {@code
   * expires}.
   *
   * @param now the current time, in milliseconds since 1970-01-01T00:00:00Z
   * @return the time; null if neither option was set
   */
  public @Nullable Instant expires(long now) {
    Double life = maxAge;
    if (life == null) {
      return expires;
    }
    // Limited to the years 1970 to 9999, since a date has four digits for the year.
    return Instant.ofEpochMilli((long) Math.max(0, Math.min(LAST_MILLIS, Math.floor(now + life))));
  }

  /**
   * Sets which requests from other sites include the cookie (RFC 6265bis section 5.6.7). Browsers
   * require {@link #secure} for {@code none}. Default: decided by the browser.
   *
   * @param value {@code strict} for no such requests, {@code lax} for links that the user follows,
   *     {@code none} for all requests, in any letter case; null for the default
   * @throws IllegalArgumentException for any other value
   */
  public CookieOptions sameSite(@Nullable String value) {
    String known = value == null ? null : SAME_SITE.get(value.toLowerCase(Locale.ROOT));
    if (value != null && known == null) {
      throw new IllegalArgumentException(
          "sameSite must be strict, lax or none, was \"" + value + "\"");
    }
    return with(copy -> copy.sameSite = known);
  }

  /**
   * Sets whether browsers keep a separate copy of the cookie for each site that embeds this one.
   * They require {@link #secure}. Default: false.
   *
   * @param on true for separate copies
   */
  public CookieOptions partitioned(boolean on) {
    return with(copy -> copy.partitioned = on);
  }

  /**
   * Sets the priority of the cookie: browsers that have too many cookies evict those of low
   * priority first. Default: decided by the browser.
   *
   * @param value {@code low}, {@code medium} or {@code high}, in any letter case; null for the
   *     default
   * @throws IllegalArgumentException for any other value
   */
  public CookieOptions priority(@Nullable String value) {
    String known = value == null ? null : PRIORITY.get(value.toLowerCase(Locale.ROOT));
    if (value != null && known == null) {
      throw new IllegalArgumentException(
          "priority must be low, medium or high, was \"" + value + "\"");
    }
    return with(copy -> copy.priority = known);
  }

  /**
   * Sets how the value is encoded. Default: {@link Percent#encodeComponent}.
   *
   * @param encode returns the text for the header
   */
  public CookieOptions encode(UnaryOperator<String> encode) {
    return with(copy -> copy.encode = encode);
  }

  /**
   * Returns a copy that makes browsers delete the cookie: it expired in 1970 and has no {@code
   * maxAge}.
   */
  public CookieOptions cleared() {
    return with(
        copy -> {
          copy.maxAge = null;
          copy.expires = Instant.EPOCH;
        });
  }

  String encode(String value) {
    return encode.apply(value);
  }

  void appendTo(StringBuilder line, long now, BinaryOperator<String> check) {
    Instant expires = expires(now);
    if (maxAge != null) {
      line.append("; Max-Age=").append(seconds(maxAge));
    }
    if (domain != null && !domain.isEmpty()) {
      line.append("; Domain=").append(check.apply("domain", asciiDomain(domain)));
    }
    if (!path.isEmpty()) {
      line.append("; Path=").append(check.apply("path", Percent.encodePath(path)));
    }
    if (expires != null) {
      line.append("; Expires=").append(HttpDate.format(expires));
    }
    line.append(httpOnly ? "; HttpOnly" : "")
        .append(secure ? "; Secure" : "")
        .append(sameSite == null ? "" : "; SameSite=" + sameSite)
        .append(partitioned ? "; Partitioned" : "")
        .append(priority == null ? "" : "; Priority=" + priority);
  }

  private static String asciiDomain(String domain) {
    boolean dot = domain.startsWith(".");
    String ascii = DomainName.toAscii(dot ? domain.substring(1) : domain);
    return ascii == null ? domain : (dot ? "." : "") + ascii;
  }

  private static String seconds(double millis) {
    BigDecimal seconds = BigDecimal.valueOf(millis).movePointLeft(3).stripTrailingZeros();
    return seconds.toPlainString();
  }
}
