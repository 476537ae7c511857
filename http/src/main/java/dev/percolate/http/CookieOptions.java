package dev.percolate.http;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Holds the attributes of a cookie that is to be set. Immutable; each method returns a changed
 * copy:
 *
 * <ul>
 *   <li>{@code maxAge}, none: life in milliseconds; replaces {@code expires};
 *   <li>{@code domain}, none: the hosts that the cookie is sent to;
 *   <li>{@code path}, {@code /}: the paths that the cookie is sent to; an empty one is left out;
 *   <li>{@code expires}, none: the end of its life;
 *   <li>{@code httpOnly}, false: whether scripts of pages cannot see it;
 *   <li>{@code secure}, false: whether it is sent over TLS only;
 *   <li>{@code signed}, false: whether its value is signed, so that a change of it is found;
 *   <li>{@code sameSite}, none: whether requests from pages of other sites carry it;
 *   <li>{@code partitioned}, false: whether pages of other sites each get a jar of their own for
 *       it;
 *   <li>{@code priority}, none: which cookies browsers drop last when there are too many;
 *   <li>{@code encode}, {@link Percent#encodeComponent}: how its value is written.
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

  /**
   * Returns the options of a cookie without further
   *
   * @return options with the path {@code /}
   */
  public static CookieOptions none() {
    return NONE;
  }

  /**
   * Sets the cookie's life.
   *
   * @param millis milliseconds, also fractions, 0 and less
   * @throws IllegalArgumentException when the number is not finite
   */
  public CookieOptions maxAge(double millis) {
    if (!Double.isFinite(millis)) {
      throw new IllegalArgumentException("maxAge(" + millis + "): not a finite number");
    }
    return with(copy -> copy.maxAge = millis);
  }

  /**
   * Sets the hosts that the cookie is sent to.
   *
   * @param domain a host's name, or null for the host that sets the cookie
   */
  public CookieOptions domain(@Nullable String domain) {
    return with(copy -> copy.domain = domain);
  }

  /**
   * Sets the paths that the cookie is sent to.
   *
   * @param path the common beginning of the paths, empty for no attribute, null for {@code /}
   */
  public CookieOptions path(@Nullable String path) {
    return with(copy -> copy.path = path == null ? "/" : path);
  }

  /**
   * Sets the end of the cookie's life.
   *
   * @param instant the end, or null for the end of the browser's session
   */
  public CookieOptions expires(@Nullable Instant instant) {
    return with(copy -> copy.expires = instant);
  }

  /**
   * Chooses whether the cookie is hidden from scripts.
   *
   * @param on true to hide it
   */
  public CookieOptions httpOnly(boolean on) {
    return with(copy -> copy.httpOnly = on);
  }

  /**
   * Chooses whether the cookie is sent over TLS only.
   *
   * @param on true for TLS only
   */
  public CookieOptions secure(boolean on) {
    return with(copy -> copy.secure = on);
  }

  /**
   * Chooses whether the value is signed.
   *
   * @param on true for {@code s:}, the value and its signature in the place of the value
   */
  public CookieOptions signed(boolean on) {
    return with(copy -> copy.signed = on);
  }

  /**
   * Tells whether the value is to be signed; {@link Cookies#serialise} does not do it.
   *
   * @return true for a signed cookie
   */
  public boolean signed() {
    return signed;
  }

  /** Returns the life in milliseconds, or null where none was set. */
  public @Nullable Double maxAge() {
    return maxAge;
  }

  /** Returns the hosts that the cookie is sent to, or null for the host that sets it. */
  public @Nullable String domain() {
    return domain;
  }

  /** Returns the common beginning of the paths that the cookie is sent to. */
  public String path() {
    return path;
  }

  /** Returns the end of the cookie's life, or null where none was set. */
  public @Nullable Instant expires() {
    return expires;
  }

  /** Tells whether the cookie is hidden from scripts. */
  public boolean httpOnly() {
    return httpOnly;
  }

  /** Tells whether the cookie is sent over TLS only. */
  public boolean secure() {
    return secure;
  }

  /** Returns which requests from pages of other sites carry the cookie, or null for none set. */
  public @Nullable String sameSite() {
    return sameSite;
  }

  /**
   * Returns the end of the cookie's life.
   *
   * @param now the time that {@code maxAge} counts from, in milliseconds since 1970-01-01T00:00:00Z
   * @return the end, by {@code maxAge} or else as set; null where neither was set
   */
  public @Nullable Instant expires(long now) {
    Double life = maxAge;
    if (life == null) {
      return expires;
    }
    // A date has four digits for the year: longer lives end with the last one, earlier in 1970.
    return Instant.ofEpochMilli((long) Math.max(0, Math.min(LAST_MILLIS, Math.floor(now + life))));
  }

  /**
   * Chooses which requests from pages of other sites carry the cookie (RFC 6265bis §5.6.7).
   *
   * @param value {@code strict} for none, {@code lax} for those that follow a link, {@code none}
   *     for all (browsers then want {@link #secure}), in any case; null leaves it to the browser
   * @throws IllegalArgumentException for any other value
   */
  public CookieOptions sameSite(@Nullable String value) {
    String known = value == null ? null : SAME_SITE.get(value.toLowerCase(Locale.ROOT));
    if (value != null && known == null) {
      throw new IllegalArgumentException("sameSite(\"" + value + "\"): strict, lax or none");
    }
    return with(copy -> copy.sameSite = known);
  }

  /**
   * Chooses whether the cookie, where another site embeds this one, is kept apart for each such
   * site. Browsers then want {@link #secure}.
   *
   * @param on true to keep it apart
   */
  public CookieOptions partitioned(boolean on) {
    return with(copy -> copy.partitioned = on);
  }

  /**
   * Tells browsers that have to drop cookies which to drop first.
   *
   * @param value {@code low}, {@code medium} or {@code high}, in any case; null leaves it to the
   *     browser
   * @throws IllegalArgumentException for any other value
   */
  public CookieOptions priority(@Nullable String value) {
    String known = value == null ? null : PRIORITY.get(value.toLowerCase(Locale.ROOT));
    if (value != null && known == null) {
      throw new IllegalArgumentException("priority(\"" + value + "\"): low, medium or high");
    }
    return with(copy -> copy.priority = known);
  }

  /**
   * Chooses how the value is written.
   *
   * @param encode turns the value into text for the header
   */
  public CookieOptions encode(UnaryOperator<String> encode) {
    return with(copy -> copy.encode = encode);
  }

  /**
   * Creates the cookie one that browsers throw away at once, whatever life these options give it.
   *
   * @return a changed copy without {@code maxAge} that expired in 1970
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
      line.append("; Path=").append(check.apply("path", Percent.encodeForHeader(path)));
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
