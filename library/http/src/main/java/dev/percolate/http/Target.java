package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/**
 * Splits request targets (RFC 9112 section 3.2), without decoding them.
 *
 * <p>A target in absolute form ({@code http://host/path?query}) has the path and query of the URL.
 * Any other target consists of path and query.
 */
public final class Target {

  private Target() {}

  /**
   * Returns true if a target is valid: a path, an {@code http} or {@code https} URL with a host, or
   * {@code *} for {@code OPTIONS}. All visible ASCII characters are allowed, since browsers send
   * characters such as quotes and angle brackets unencoded.
   *
   * @param method the method of the request
   * @param target the request target
   */
  public static boolean isValid(String method, String target) {
    for (int i = 0; i < target.length(); i++) {
      if (target.charAt(i) <= ' ' || target.charAt(i) > '~') {
        return false;
      }
    }
    if (target.startsWith("/")) {
      return true;
    }
    if (target.equals("*")) {
      return method.equals("OPTIONS");
    }
    String authority = authority(target);
    return authority != null && isHttp(target) && Host.isValid(authority);
  }

  /**
   * Returns the host of a target in absolute form, with its port. It overrides the {@code Host}
   * header (RFC 9112 section 3.2.2).
   *
   * @param target the request target
   * @return the undecoded host; null for a target in another form
   */
  public static @Nullable String authority(String target) {
    int end = pathStart(target);
    return end == 0 ? null : target.substring(target.indexOf("://") + 3, end);
  }

  /**
   * Returns the undecoded path, up to the first {@code ?} or {@code #}.
   *
   * @param target the request target
   * @return the path; {@code /} for a URL without a path
   */
  public static String path(String target) {
    int start = pathStart(target);
    int end = start;
    while (end < target.length() && !endsPath(target.charAt(end))) {
      end++;
    }
    return start == end && start > 0 ? "/" : target.substring(start, end);
  }

  /**
   * Returns the undecoded query, from the first {@code ?} to the first {@code #}.
   *
   * @param target the request target
   * @return the query; null if there is none
   */
  public static @Nullable String query(String target) {
    int fragment = target.indexOf('#');
    int end = fragment < 0 ? target.length() : fragment;
    int mark = target.indexOf('?');
    return mark < 0 || mark > end ? null : target.substring(mark + 1, end);
  }

  /**
   * Returns true if a target has a fragment, which is not part of a request target (RFC 9112
   * section 3.2).
   *
   * @param target the request target
   */
  public static boolean hasFragment(String target) {
    return target.indexOf('#') >= 0;
  }

  /**
   * Returns the index at which the path begins.
   *
   * @param target the request target
   * @return the index after the authority of a target in absolute form, else 0
   */
  public static int pathStart(String target) {
    if (target.isEmpty() || target.charAt(0) == '/') {
      return 0;
    }
    int colon = target.indexOf("://");
    if (colon <= 0 || !isScheme(target, colon)) {
      return 0;
    }
    int i = colon + 3;
    while (i < target.length() && target.charAt(i) != '/' && target.charAt(i) != '?') {
      i++;
    }
    return i;
  }

  private static boolean endsPath(char c) {
    return c == '?' || c == '#';
  }

  /**
   * Returns true if programs that decode the path of a target, and those that do not, may see
   * different paths. Such a path has empty segments, {@code .} or {@code ..}, or a backslash. Or it
   * has an encoded slash, backslash, NUL or unreserved character (RFC 3986 section 6.2.2), or a
   * malformed escape. Letter case and parameters after semicolons are ignored.
   *
   * @param target the request target
   */
  public static boolean isAmbiguous(String target) {
    String path = path(target);
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      boolean beginsSegment = i > 0 && path.charAt(i - 1) == '/';
      if (c == '\\' || (beginsSegment && (c == '/' || isDots(path, i)))) {
        return true;
      }
      if (c == '%' && !isEncodedWell(path, i)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if a segment consists of one or two dots. */
  private static boolean isDots(String path, int start) {
    int end = path.indexOf('/', start);
    String segment = path.substring(start, end < 0 ? path.length() : end);
    return segment.equals(".") || segment.equals("..");
  }

  /**
   * Returns true for a valid escape that is not of a slash, backslash, NUL or unreserved character.
   */
  private static boolean isEncodedWell(String path, int percent) {
    int c = Percent.byteAt(path, percent);
    return c >= 0 && !Ascii.isAlphanumeric(c) && "-._~/\\\0".indexOf(c) < 0;
  }

  private static boolean isHttp(String target) {
    return target.regionMatches(true, 0, "http:", 0, 5)
        || target.regionMatches(true, 0, "https:", 0, 6);
  }

  /** Returns true if the beginning of a text is a scheme (RFC 3986 section 3.1). */
  static boolean isScheme(String text, int end) {
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      boolean other = Ascii.isDigit(c) || c == '+' || c == '-' || c == '.';
      if (!Ascii.isLetter(c) && (i == 0 || !other)) {
        return false;
      }
    }
    return end > 0;
  }
}
