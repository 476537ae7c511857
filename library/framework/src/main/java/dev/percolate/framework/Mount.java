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

  /** Returns the mount path as it was given, without its trailing slash; empty for the root. */
  String prefix() {
    return given;
  }

  /** Returns the mount path in the form that paths of requests are compared in. */
  String prefix(boolean decoded) {
    return decoded ? text : given;
  }

  Middleware step() {
    return step;
  }

  boolean takesErrors() {
    return takesErrors;
  }

  /** Tells whether a path begins with a mount path, and ends there or goes on with / or a dot. */
  static boolean covers(String prefix, String path) {
    int length = prefix.length();
    if (length > 0 && !PathMatcher.startsWith(path, 0, prefix, true)) {
      return false;
    }
    return path.length() == length || path.charAt(length) == '/' || path.charAt(length) == '.';
  }

  /** Tells whether a segment of the mount path begins with a dot, but not the first. */
  boolean isDotted() {
    return dotted;
  }

  /**
   * Tells whether the step would, or would not, see a path only because it is written as it is,
   * although a file server behind it may find the same file: escapes are decoded, dots behind the
   * mount path lead elsewhere, or a dot takes the place of a slash and a dot.
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

  /** Takes the slash away in front of a dot, which a mount path may end at as well. */
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
