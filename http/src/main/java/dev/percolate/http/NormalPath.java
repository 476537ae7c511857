package dev.percolate.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Brings the paths of requests into one form, by which they can be compared (RFC 3986 §6.2.2).
 *
 * <pre>
 *   /%61dmin/x, /./admin/x, /y/../admin/x, //admin/x   are all   /admin/x
 *   /a%2fb, /a%c3%a4                                   become    /a%2Fb, /a%C3%A4
 * </pre>
 *
 * <p>Escapes of letters, digits and {@code - . _ ~} are decoded, the digits of other escapes are in
 * upper case, the segments {@code .} and {@code ..} and empty ones are resolved. Everything else
 * stays: letter case, a slash at the end, what stands behind semicolons, and escapes that cannot be
 * decoded.
 */
public final class NormalPath {

  private static final String SLASH = "%2F";

  private NormalPath() {}

  /**
   * Tells whether the path of a target is surely normal, at one look and without taking it apart.
   * Most are; of the others some are normal all the same, and each in absolute form is among them.
   *
   * @param target the target of a request, or its path
   */
  public static boolean isPlain(String target) {
    int length = target.length();
    for (int i = 0; i < length; i++) {
      char c = target.charAt(i);
      if (c > '/') { // as most are
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
   * Returns the normal form of a path. What would lead above the root stays at the root.
   *
   * @param path a path without a query; one that does not begin with a slash is returned as it is
   * @return the path itself if it is normal
   */
  public static String of(String path) {
    if (isPlain(path) || !path.startsWith("/")) {
      return path;
    }
    String normal = resolved(unescaped(path));
    return normal.equals(path) ? path : normal;
  }

  /**
   * Returns the length of that part of a path, as sent, which the beginning of its normal form
   * stands for: of {@code /x/../%61dmin/y} for {@code /admin} the length of {@code /x/../%61dmin}.
   * What follows is, by itself, the way to the same place.
   *
   * @param path a path as sent
   * @param length how much of its normal form, up to the end of a segment or within one
   */
  public static int sentLength(String path, int length) {
    Deque<int[]> places = new ArrayDeque<>(); // of each segment: its start as sent, its normal end
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
   * Returns what a file server makes of a path: all escapes decoded, once, and what that brings to
   * light resolved.
   *
   * @param path a path in its normal form
   * @return the decoded path; if it cannot be decoded as a whole, with its slashes decoded alone
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
   * Tells whether a path can mean two things in its normal form, too: it has a backslash, plain or
   * encoded, or an encoded NUL, or its dots lead above the root, where an encoded slash counts as
   * one. What other encoded slashes mean depends on who looks at them.
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
   * Returns the position of the first escape that nobody needs to write, and that hides what a path
   * means: of a slash, of a backslash, or of a character that normal paths have unescaped.
   *
   * @param text a path, or a part of one
   * @return -1 if there is none
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

  /** Tells whether a segment is empty, or begins like one of dots. */
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
   * Decodes what needs no escape, writes other escapes in upper case, and ends when there is so
   * much as is wanted.
   *
   * @return the position behind what was read
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

  /** Tells whether a digit at the end would make an escape of a percent sign that begins none. */
  private static boolean isBroken(CharSequence text) {
    int end = text.length();
    if (end == 0 || text.charAt(end - 1) == '%') {
      return end > 0;
    }
    return end > 1 && text.charAt(end - 2) == '%' && text.charAt(end - 1) != '/';
  }

  private static boolean isUnreserved(int c) {
    boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    return letter || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';
  }

  /** Resolves dots and empty segments; a path that begins with a slash. */
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

  /** Tells whether dots lead above the root, even if the rest leads back. */
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

  /** Tells whether a segment leads nowhere. */
  private static boolean isEmpty(String path, int start, int end) {
    return start == end || (end - start == 1 && path.charAt(start) == '.');
  }

  private static boolean isParent(String path, int start, int end) {
    return end - start == 2 && path.startsWith("..", start);
  }
}
