package dev.percolate.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads the {@code Cache-Control} header of responses (RFC 9111 section 5.2.2). */
final class CacheControl {

  private static final Set<String> RESTRICTIONS =
      Set.of(
          "must-revalidate", "no-cache", "no-store", "no-transform", "private", "proxy-revalidate");

  private CacheControl() {}

  /**
   * Returns true if a header controls caches: {@code Cache-Control}, or a header for some caches
   * only, such as {@code CDN-Cache-Control} (RFC 9213) and {@code Surrogate-Control}.
   *
   * @param name the name of the header in lower case
   */
  static boolean isName(String name) {
    return name.endsWith("cache-control") || name.equals("surrogate-control");
  }

  /**
   * Returns the directives that restrict caches.
   *
   * @param lines the values of the header
   * @return the directives in order, separated by commas; empty if there are none
   */
  static String restrictions(List<String> lines) {
    StringBuilder kept = new StringBuilder();
    for (String directive : ListText.elements(String.join(",", lines))) {
      String name = directive.split("=", 2)[0].strip().toLowerCase(Locale.ROOT);
      if (RESTRICTIONS.contains(name)) {
        kept.append(kept.isEmpty() ? "" : ", ").append(directive);
      }
    }
    return kept.toString();
  }
}
