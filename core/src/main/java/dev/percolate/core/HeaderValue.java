package dev.percolate.core;

import dev.percolate.http.Headers;
import dev.percolate.http.RepeatedHeader;
import org.jspecify.annotations.Nullable;

/** Gives the value of a request header as steps ask for it: Referer by both of its spellings. */
final class HeaderValue {

  private HeaderValue() {}

  static @Nullable String of(Headers headers, String name) {
    if (name.equalsIgnoreCase("referer") || name.equalsIgnoreCase("referrer")) {
      String referrer = RepeatedHeader.value(headers, "referrer");
      return referrer == null || referrer.isEmpty()
          ? RepeatedHeader.value(headers, "referer")
          : referrer;
    }
    return RepeatedHeader.value(headers, name);
  }
}
