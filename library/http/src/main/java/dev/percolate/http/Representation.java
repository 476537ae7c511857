package dev.percolate.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The headers that describe the body of a response (RFC 9110 section 8, RFC 9111 section 5). */
public final class Representation {
  private static final String CONTENT = "content-";
  private static final Set<String> POLICIES =
      Set.of("content-security-policy", "content-security-policy-report-only");

  /** Those that begin with x let a proxy replace or cache the body. */
  private static final Set<String> OTHERS =
      Set.of(
          ("accept-ranges age cache-control digest etag expires last-modified repr-digest"
                  + " trailer transfer-encoding x-accel-expires x-accel-redirect"
                  + " x-lighttpd-send-file x-sendfile")
              .split(" "));

  /** Headers that describe the bytes of a body, besides {@code Content-*}. */
  private static final Set<String> OF_BODY =
      Set.of("digest", "repr-digest", "trailer", "transfer-encoding");

  private static final Set<String> CACHE_RESTRICTIONS =
      Set.of(
          "must-revalidate", "no-cache", "no-store", "no-transform", "private", "proxy-revalidate");

  private Representation() {}

  /**
   * Returns true if a header describes the body of a response: its type, framing, version or
   * caching. Such a header is wrong, or even harmful, with another body.
   *
   * @param name the name of the header, in any letter case
   */
  public static boolean describes(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.startsWith(CONTENT) ? !POLICIES.contains(lower) : OTHERS.contains(lower);
  }

  /**
   * Returns a copy of headers for a response with another body.
   *
   * @param headers the headers of the original response
   * @return new headers without those that {@link #removeFrom} removes
   */
  public static Headers undescribed(Headers headers) {
    Headers others = headers.copy();
    removeFrom(others);
    return others;
  }

  /**
   * Removes the headers of a failed response that describe its original body, or allow caching.
   * Directives of {@code Cache-Control} that restrict caches, such as {@code no-store}, are kept,
   * and so is {@code Expires} if it is in the past.
   *
   * @param headers the headers
   * @param kept the names of headers to keep in any case
   */
  public static void removeFrom(Headers headers, String... kept) {
    for (String name : names(headers)) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (isCacheControl(lower)) {
        restrict(headers, name);
      } else if (describes(lower)
          && !isOver(headers, lower)
          && Arrays.stream(kept).noneMatch(lower::equalsIgnoreCase)) {
        headers.remove(name);
      }
    }
  }

  /**
   * Removes the headers of a 304 response that describe a body (RFC 9110 section 15.4.5). Headers
   * that update a cached response are kept: validators, {@code Content-Location}, and caching
   * headers.
   *
   * @param headers the headers
   */
  public static void removeFromNotModified(Headers headers) {
    for (String name : names(headers)) {
      String lower = name.toLowerCase(Locale.ROOT);
      boolean content = lower.startsWith(CONTENT) && !POLICIES.contains(lower);
      if ((content && !lower.equals("content-location")) || OF_BODY.contains(lower)) {
        headers.remove(name);
      }
    }
  }

  private static void restrict(Headers headers, String name) {
    String restrictions = cacheRestrictions(headers.all(name));
    if (restrictions.isEmpty()) {
      headers.remove(name);
    } else {
      headers.setUnchecked(name, restrictions);
    }
  }

  /**
   * Returns true for an {@code Expires} header that is in the past or invalid, and for {@code
   * X-Accel-Expires: 0}, which prohibits caching in nginx.
   */
  private static boolean isOver(Headers headers, String name) {
    if (name.equals("x-accel-expires")) {
      return "0".equals(headers.get(name));
    }
    if (!name.equals("expires")) {
      return false;
    }
    Long date = HttpDate.parse(headers.get(name));
    return date == null || date <= System.currentTimeMillis();
  }

  private static List<String> names(Headers headers) {
    List<String> names = new ArrayList<>(headers.size());
    headers.forEach((name, value) -> names.add(name));
    return names;
  }

  /**
   * Returns true if a header controls caches: {@code Cache-Control}, or a header for some caches
   * only, such as {@code CDN-Cache-Control} (RFC 9213) and {@code Surrogate-Control}.
   *
   * @param name the name of the header in lower case
   */
  private static boolean isCacheControl(String name) {
    return name.endsWith("cache-control") || name.equals("surrogate-control");
  }

  /**
   * Returns the directives that restrict caches (RFC 9111 section 5.2.2).
   *
   * @param lines the values of the header
   * @return the directives in order, separated by commas; empty if there are none
   */
  private static String cacheRestrictions(List<String> lines) {
    StringBuilder kept = new StringBuilder();
    for (String directive : ListText.elements(String.join(",", lines))) {
      String name = directive.split("=", 2)[0].strip().toLowerCase(Locale.ROOT);
      if (CACHE_RESTRICTIONS.contains(name)) {
        kept.append(kept.isEmpty() ? "" : ", ").append(directive);
      }
    }
    return kept.toString();
  }
}
