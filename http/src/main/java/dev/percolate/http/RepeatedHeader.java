package dev.percolate.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives one value for a request header that may have come several times (RFC 9110 section 5.3). */
public final class RepeatedHeader {

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

  private RepeatedHeader() {}

  /**
   * Gives the value of a header: of several the first where only one makes sense, else all of them,
   * joined by a comma and a blank, those of Cookie by a semicolon and a blank.
   *
   * @param headers the headers of a request
   * @param name the header's name, in any case
   * @return the value; null if the header is absent
   */
  public static @Nullable String value(Headers headers, String name) {
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
