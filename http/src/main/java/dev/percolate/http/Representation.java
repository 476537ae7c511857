package dev.percolate.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Knows the headers that tell of the body of an answer (RFC 9110 section 8, RFC 9111 section 5).
 */
public final class Representation {
  private static final String CONTENT = "content-";
  private static final Set<String> POLICIES =
      Set.of("content-security-policy", "content-security-policy-report-only");
  private static final Set<String> OTHERS =
      Set.of(
          "accept-ranges",
          "age",
          "cache-control",
          "digest",
          "etag",
          "expires",
          "last-modified",
          "repr-digest",
          "trailer",
          "transfer-encoding");

  /** Those that describe the bytes of a body, besides {@code Content-*}. */
  private static final Set<String> OF_BODY =
      Set.of("digest", "repr-digest", "trailer", "transfer-encoding");

  private Representation() {}

  /**
   * Tells whether a header describes the body of an answer: what it is, how it is framed, which
   * version of it this is, and for how long it may be kept.
   *
   * @param name the header's name, in any letter case
   * @return true for those that make no sense, or harm, with another body
   */
  public static boolean describes(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.startsWith(CONTENT) ? !POLICIES.contains(lower) : OTHERS.contains(lower);
  }

  /**
   * Copies headers for a response with another body.
   *
   * @param headers the headers of the response that was to be sent
   * @return new headers without those that {@link #removeFrom} removes
   */
  public static Headers undescribed(Headers headers) {
    Headers others = headers.copy();
    removeFrom(others);
    return others;
  }

  /**
   * Removes from the headers of a response that has failed what describes the body that it was to
   * have, and what lets caches keep it. Of {@code Cache-Control} the directives stay that only
   * restrict caches, such as {@code no-store}; {@code Expires} stays if it lies in the past.
   *
   * @param headers the headers
   * @param kept the names of headers that stay whatever they describe
   */
  public static void removeFrom(Headers headers, String... kept) {
    for (String name : names(headers)) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (CacheControl.isName(lower)) {
        restrict(headers, name);
      } else if (describes(lower) && !isOver(headers, lower) && !isAmong(kept, lower)) {
        headers.remove(name);
      }
    }
  }

  /**
   * Removes from the headers of a 304 what describes the body that it does not have (RFC 9110
   * section 15.4.5). What caches update stays: validators, {@code Content-Location}, and how long
   * the response may be kept.
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
    String restrictions = CacheControl.restrictions(headers.all(name));
    if (restrictions.isEmpty()) {
      headers.remove(name);
    } else {
      headers.setUnchecked(name, restrictions);
    }
  }

  /** Returns whether a header says that the response must not be reused. */
  private static boolean isOver(Headers headers, String name) {
    if (!name.equals("expires")) {
      return false;
    }
    Long date = HttpDate.parse(headers.get(name));
    return date == null || date <= System.currentTimeMillis();
  }

  private static boolean isAmong(String[] names, String name) {
    for (String one : names) {
      if (one.equalsIgnoreCase(name)) {
        return true;
      }
    }
    return false;
  }

  private static List<String> names(Headers headers) {
    List<String> names = new ArrayList<>(headers.size());
    headers.forEach((name, value) -> names.add(name));
    return names;
  }
}
