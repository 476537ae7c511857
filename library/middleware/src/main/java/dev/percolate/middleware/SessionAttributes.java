package dev.percolate.middleware;

import dev.percolate.core.Settings;
import dev.percolate.http.CookieOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The attributes of session cookies, for each value of the setting {@link Sessions#SAME_SITE}. */
final class SessionAttributes {

  private static final String NO_SITE = "false";
  private static final List<String> SITES = List.of("lax", "strict", "none", NO_SITE);

  private final UnaryOperator<CookieOptions> chosen;
  private final Map<String, CookieOptions> bySite = new HashMap<>();

  private SessionAttributes(UnaryOperator<CookieOptions> chosen) {
    this.chosen = chosen;
    for (String site : SITES) {
      CookieOptions bare = CookieOptions.none().httpOnly(true);
      bySite.put(site, chosen.apply(site.equals(NO_SITE) ? bare : bare.sameSite(site)));
    }
  }

  /** Returns the defaults: path {@code /}, {@code httpOnly}, and {@link Sessions#SAME_SITE}. */
  static SessionAttributes usual() {
    return new SessionAttributes(options -> options);
  }

  /** Returns these attributes with further changes. */
  SessionAttributes and(UnaryOperator<CookieOptions> change) {
    return new SessionAttributes(options -> change.apply(chosen.apply(options)));
  }

  /**
   * Returns a warning if browsers ignore the cookie (RFC 6265bis sections 4.1.3 and 5.7).
   *
   * @param name the name of the cookie; null if it is that of a setting
   * @return the warning; null if browsers accept the cookie
   */
  @Nullable String doubt(@Nullable String name) {
    CookieOptions sent = Objects.requireNonNull(bySite.get(NO_SITE));
    String lower = name == null ? "" : name.toLowerCase(Locale.ROOT);
    boolean ofHost = sent.secure() && sent.path().equals("/") && sent.domain() == null;
    String reason = null;
    if (lower.startsWith("__host-") && !ofHost) {
      reason = "the prefix __Host- needs secure(true), the path / and no domain";
    } else if (lower.startsWith("__secure-") && !sent.secure()) {
      reason = "the prefix __Secure- needs secure(true)";
    } else if ("None".equals(sent.sameSite()) && !sent.secure()) {
      reason = "SameSite=None needs secure(true)";
    }
    return reason == null ? null : "has a cookie that browsers ignore, since " + reason + ".";
  }

  CookieOptions of(Settings settings) {
    String site = String.valueOf(settings.get(Sessions.SAME_SITE));
    return Objects.requireNonNull(bySite.get(site.toLowerCase(Locale.ROOT)));
  }
}
