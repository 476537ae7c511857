package dev.percolate.core;

import dev.percolate.http.Headers;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives one value for a request header that may have come several times. */
final class HeaderValue {

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

  static @Nullable String of(Headers headers, String name) {
    if (name.equalsIgnoreCase("referer") || name.equalsIgnoreCase("referrer")) {
      String referrer = joined(headers, "referrer");
      return referrer == null || referrer.isEmpty() ? joined(headers, "referer") : referrer;
    }
    return joined(headers, name);
  }

  private static @Nullable String joined(Headers headers, String name) {
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
