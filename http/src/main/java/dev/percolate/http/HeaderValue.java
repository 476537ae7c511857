package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/** Gives the value of a request header as steps ask for it: Referer by both of its spellings. */
public final class HeaderValue {

  private HeaderValue() {}

  /**
   * Returns the value of a header, as {@link RepeatedHeader#value} does.
   *
   * @param headers the headers of a request
   * @param name its name, in any case
   * @return its value; null if it is absent
   */
  public static @Nullable String of(Headers headers, String name) {
    if (name.equalsIgnoreCase("referer") || name.equalsIgnoreCase("referrer")) {
      String referrer = RepeatedHeader.value(headers, "referrer");
      return referrer == null || referrer.isEmpty()
          ? RepeatedHeader.value(headers, "referer")
          : referrer;
    }
    return RepeatedHeader.value(headers, name);
  }
}
