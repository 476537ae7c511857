package dev.percolate.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Returns the value of a request header that may be repeated. */
public final class HeaderValue {

  /** Headers that have one value; the first counts. */
  private static final Set<String> SINGLE =
      Set.of(
          ("age authorization content-length content-type etag expires from host"
                  + " if-modified-since if-unmodified-since last-modified location max-forwards"
                  + " proxy-authorization referer retry-after server user-agent")
              .split(" "));

  private HeaderValue() {}

  /**
   * Returns the value of a header; see {@link #joined}. {@code Referer} and {@code Referrer} are
   * the same header.
   *
   * @param headers the headers of a request
   * @param name the name of the header, in any letter case
   * @return the value; null if the header is absent
   */
  public static @Nullable String of(Headers headers, String name) {
    if (name.equalsIgnoreCase("referer") || name.equalsIgnoreCase("referrer")) {
      String referrer = joined(headers, "referrer");
      return referrer == null || referrer.isEmpty() ? joined(headers, "referer") : referrer;
    }
    return joined(headers, name);
  }

  /**
   * Returns the value of a header. The values of a repeated header are joined with {@code ", "},
   * those of {@code Cookie} with {@code "; "} (RFC 9110 section 5.3). If a header that has a single
   * value, such as {@code Host}, is repeated, the first line counts.
   *
   * @param headers the headers of a request
   * @param name the name of the header, in any letter case
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
