package dev.percolate.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Normalises request paths, so that they can be compared (RFC 3986 section 6.2.2).
 *
 * <pre>
 *   /%61dmin/x, /./admin/x, /y/../admin/x, //admin/x   are all   /admin/x
 *   /a%2fb, /a%c3%a4                                   become    /a%2Fb, /a%C3%A4
 * </pre>
 *
 * <p>Escapes of letters, digits and {@code - . _ ~} are decoded. Other escapes get upper-case
 * digits. The segments {@code .} and {@code ..} are resolved, and empty segments are removed.
 * Letter case, a trailing slash, parameters after semicolons, and malformed escapes are kept.
 */
public final class NormalPath {

  private static final String SLASH = "%2F";

  private NormalPath() {}

  /**
   * Returns true if the path of a target is certainly normal. This check is fast and true for most
   * targets. It is false for some normal paths, and for all targets in absolute form.
   *
   * @param target the target of a request, or its path
   */
  public static boolean isPlain(String target) {
    int length = target.length();
    for (int i = 0; i < length; i++) {
      char c = target.charAt(i);
      if (c > '/') { // most characters
        if (c == '?' || c == '\\') {
          return c == '?' && target.indexOf('#', i) < 0;
        }
      } else if (c == '%' || c == '#' || (c == '/' && isOdd(target, i + 1))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the normal form of a path. {@code ..} at the root has no effect.
   *
   * @param path a path without a query; a path that does not begin with a slash is not changed
   * @return the normal form; the same object if the path is normal
   */
  public static String of(String path) {
    if (isPlain(path) || !path.startsWith("/")) {
      return path;
    }
    String normal = resolved(unescaped(path));
    return normal.equals(path) ? path : normal;
  }

  /**
   * Returns the length of the part of a received path that corresponds to a prefix of its normal
   * form. For {@code /x/../%61dmin/y} and the prefix {@code /admin}, that is the length of {@code
   * /x/../%61dmin}. The rest of the received path then leads to the same resource.
   *
   * @param path a path as received
   * @param length the length of the prefix of its normal form
   */
  public static int sentLength(String path, int length) {
    Deque<int[]> places = new ArrayDeque<>(); // per segment: received start, normal end
    places.push(new int[] {0, 0});
    for (int start = 1; start <= path.length(); ) {
      int end = end(path, start);
      String segment = unescaped(path.substring(start, end));
      if (isParent(segment, 0, segment.length())) {
        if (places.size() > 1) {
          places.pop();
        }
      } else if (!isEmpty(segment, 0, segment.length())) {
        places.push(new int[] {start, places.element()[1] + 1 + segment.length()});
      }
      start = end + 1;
    }
    int from = 0;
    for (int[] place : places) { // the last first
      if (place[1] < length) {
        return unescape(path, from, length - place[1] - 1, new StringBuilder());
      }
      from = place[0];
    }
    return 0;
  }

  /**
   * Returns the path that a file server uses: all escapes are decoded once, and the resulting dots
   * and empty segments are resolved.
   *
   * @param path a path in normal form
   * @return the decoded path; if it has malformed escapes, only its slashes are decoded
   */
  public static String decoded(String path) {
    if (path.indexOf('%') < 0) {
      return path;
    }
    String whole = Percent.decode(path);
    String decoded = whole == null ? path.replace(SLASH, "/") : whole;
    return decoded.startsWith("/") ? resolved(decoded) : decoded;
  }

  /**
   * Returns true if programs may interpret a path differently even in its normal form. Such a path
   * has a plain or encoded backslash, an encoded NUL, or dots that lead above the root, where
   * encoded slashes count as slashes.
   *
   * @param path a path without a query
   */
  public static boolean isDoubtful(String path) {
    if (path.indexOf('\\') >= 0) {
      return true;
    }
    String text = unescaped(path);
    return text.contains("%5C")
        || text.contains("%00")
        || climbs(text)
        || climbs(text.replace(SLASH, "/"));
  }

  /**
   * Returns the index of the first escape that hides the meaning of a path: of a slash, a
   * backslash, or a character that normal paths do not escape.
   *
   * @param text a path or a part of it
   * @return the index; -1 if there is none
   */
  public static int doubtfulEscape(String text) {
    for (int i = text.indexOf('%'); i >= 0; i = text.indexOf('%', i + 1)) {
      int c = Percent.isEscape(text, i) ? Integer.parseInt(text, i + 1, i + 3, 16) : -1;
      if (isUnreserved(c) || c == '/' || c == '\\') {
        return i;
      }
    }
    return -1;
  }

  /** Returns true if a segment is empty or begins with a dot. */
  private static boolean isOdd(String path, int start) {
    return start < path.length() && (path.charAt(start) == '/' || path.charAt(start) == '.');
  }

  private static String unescaped(String path) {
    if (path.indexOf('%') < 0) {
      return path;
    }
    StringBuilder out = new StringBuilder(path.length());
    unescape(path, 0, path.length(), out);
    return out.toString();
  }

  /**
   * Decodes unnecessary escapes and writes other escapes in upper case, until the output has the
   * wanted length.
   *
   * @return the index after the last character read
   */
  private static int unescape(String path, int from, int wanted, StringBuilder out) {
    int i = from;
    while (i < path.length() && out.length() < wanted) {
      if (!Percent.isEscape(path, i)) {
        out.append(path.charAt(i));
        i++;
        continue;
      }
      int c = Integer.parseInt(path, i + 1, i + 3, 16);
      if (isUnreserved(c) && !isBroken(out)) {
        out.append((char) c);
      } else {
        out.append(path.substring(i, i + 3).toUpperCase(Locale.ROOT));
      }
      i += 3;
    }
    return i;
  }

  /**
   * Returns true if another digit would complete an escape with a percent sign that begins none.
   */
  private static boolean isBroken(CharSequence text) {
    int end = text.length();
    if (end == 0 || text.charAt(end - 1) == '%') {
      return end > 0;
    }
    return end > 1 && text.charAt(end - 2) == '%' && text.charAt(end - 1) != '/';
  }

  private static boolean isUnreserved(int c) {
    return Ascii.isAlphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
  }

  /** Resolves dots and empty segments. The path must begin with a slash. */
  private static String resolved(String path) {
    StringBuilder out = new StringBuilder(path.length());
    boolean open = false;
    for (int start = 1; start <= path.length(); ) {
      int end = end(path, start);
      open = isEmpty(path, start, end);
      if (isParent(path, start, end)) {
        out.setLength(Math.max(0, out.lastIndexOf("/")));
        open = true;
      } else if (!open) {
        out.append('/').append(path, start, end);
      }
      start = end + 1;
    }
    return (open ? out.append('/') : out).toString();
  }

  /** Returns true if dots lead above the root, even if the rest leads back. */
  private static boolean climbs(String path) {
    int depth = 0;
    for (int start = 0; start <= path.length(); ) {
      int end = end(path, start);
      if (isParent(path, start, end)) {
        depth--;
      } else if (!isEmpty(path, start, end)) {
        depth++;
      }
      if (depth < 0) {
        return true;
      }
      start = end + 1;
    }
    return false;
  }

  private static int end(String path, int start) {
    int slash = path.indexOf('/', start);
    return slash < 0 ? path.length() : slash;
  }

  /** Returns true if a segment is empty or a dot. */
  private static boolean isEmpty(String path, int start, int end) {
    return start == end || (end - start == 1 && path.charAt(start) == '.');
  }

  private static boolean isParent(String path, int start, int end) {
    return end - start == 2 && path.startsWith("..", start);
  }
}
