package dev.percolate.middleware;

import dev.percolate.core.Settings;
import dev.percolate.http.CookieOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

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

  CookieOptions of(Settings settings) {
    String site = String.valueOf(settings.get(Sessions.SAME_SITE));
    return Objects.requireNonNull(bySite.get(site.toLowerCase(Locale.ROOT)));
  }
}
