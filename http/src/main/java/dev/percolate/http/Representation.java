package dev.percolate.http;

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
          "pragma",
          "repr-digest",
          "trailer",
          "transfer-encoding");

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
   * Copies headers for an answer with another body.
   *
   * @param headers the headers of the answer that was meant to be given
   * @return new headers with those lines that do not describe its body
   */
  public static Headers undescribed(Headers headers) {
    Headers others = new Headers();
    for (int i = 0; i < headers.size(); i++) {
      if (!describes(headers.name(i))) {
        others.addReceived(headers.name(i), headers.value(i));
      }
    }
    return others;
  }
}
