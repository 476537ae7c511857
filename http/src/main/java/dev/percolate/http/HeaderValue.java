package dev.percolate.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one value of a request header, which may have come several times. */
public final class HeaderValue {

  /** Those of which a second makes no sense: the first counts. */
  private static final Set<String> SINGLE =
      Set.of(
          "age",
          "authorization",
          "content-length",
          "content-type",
          "etag",
          "expires",
          "from",
          "host",
          "if-modified-since",
          "if-unmodified-since",
          "last-modified",
          "location",
          "max-forwards",
          "proxy-authorization",
          "referer",
          "retry-after",
          "server",
          "user-agent");

  private HeaderValue() {}

  /**
   * Returns the value of a header as {@link #joined} does, that of Referer by both of its
   * spellings.
   *
   * @param headers the headers of a request
   * @param name its name, in any case
   * @return its value; null if it is absent
   */
  public static @Nullable String of(Headers headers, String name) {
    if (name.equalsIgnoreCase("referer") || name.equalsIgnoreCase("referrer")) {
      String referrer = joined(headers, "referrer");
      return referrer == null || referrer.isEmpty() ? joined(headers, "referer") : referrer;
    }
    return joined(headers, name);
  }

  /**
   * Returns the value of a header: of several (RFC 9110 section 5.3) the first where only one makes
   * sense, else all of them, joined by a comma and a blank, those of Cookie by a semicolon and a
   * blank.
   *
   * @param headers the headers of a request
   * @param name the header's name, in any case
   * @return the value; null if the header is absent
   */
  public static @Nullable String joined(Headers headers, String name) {
    String first = headers.get(name);
    if (first == null) {
      return null;
    }
    List<String> all = headers.all(name);
    if (all.size() == 1) {
      return first;
    }
    String lower = name.toLowerCase(Locale.ROOT);
    if (SINGLE.contains(lower)) {
      return first;
    }
    return String.join(lower.equals("cookie") ? "; " : ", ", all);
  }
}
