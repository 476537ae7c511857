package dev.percolate.framework;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.http.NormalPath;

/** A middleware at a mount path. */
final class Mount extends Layer {

  private final String given;
  private final String text;
  private final String decoded;
  private final boolean dotted;
  private final Middleware step;
  private final boolean takesErrors;
  private final String origin;

  Mount(String path, Middleware step, String origin) {
    this.given = withoutSlash(path);
    String normal = withoutSlash(NormalPath.of(path));
    this.text = RoutePath.decoded(normal).text();
    this.dotted = normal.indexOf("/.", 1) > 0;
    this.decoded = joined(withoutSlash(NormalPath.decoded(normal)));
    this.step = step;
    this.takesErrors = step instanceof ErrorHandler;
    this.origin = origin;
  }

  /** Returns the mount path as it was defined, without its trailing slash; empty for the root. */
  String prefix() {
    return given;
  }

  /** Returns the mount path in the form that is compared with request paths. */
  String prefix(boolean decoded) {
    return decoded ? text : given;
  }

  Middleware step() {
    return step;
  }

  boolean takesErrors() {
    return takesErrors;
  }

  /**
   * Returns true if a path starts with a mount path, and continues with / or a dot or ends there.
   */
  static boolean covers(String prefix, String path) {
    int length = prefix.length();
    if (length > 0 && !PathMatcher.startsWith(path, 0, prefix, true)) {
      return false;
    }
    return path.length() == length || path.charAt(length) == '/' || path.charAt(length) == '.';
  }

  /** Returns true if a segment of the mount path after the first starts with a dot. */
  boolean isDotted() {
    return dotted;
  }

  /**
   * Returns true if only the spelling of a path decides whether this mount covers it. A file server
   * may find the same file for another spelling. Examples are escapes, dot segments after the mount
   * path, and a dot instead of a slash and a dot.
   *
   * @param path a decoded path
   * @param covered whether the mount path, which is not the root, covers it
   */
  boolean isAmbiguous(RoutePath path, boolean covered) {
    return (covered && isDots(path.text(), text.length()))
        || covers(decoded, joined(path.fileForm())) != covered;
  }

  @Override
  String name() {
    return "use " + (given.isEmpty() ? "/" : given);
  }

  @Override
  String origin() {
    return origin;
  }

  /** Removes a slash before a dot, because a mount path may also end at a dot. */
  private String joined(String path) {
    int first = dotted ? path.indexOf("/.", 1) : -1;
    return first < 0 ? path : path.substring(0, first) + path.substring(first).replace("/.", ".");
  }

  private static boolean isDots(String path, int start) {
    int end = path.startsWith("..", start) ? start + 2 : start + 1;
    return path.startsWith(".", start) && (end == path.length() || path.charAt(end) == '/');
  }

  private static String withoutSlash(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
