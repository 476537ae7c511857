package dev.percolate.framework.path;

import dev.percolate.http.NormalPath;

/** A mount path. It covers itself, and the paths that continue after it with a slash or a dot. */
public final class MountPath {

  private final String given;
  private final String text;
  private final String decoded;
  private final boolean dotted;

  /** Creates a mount path. */
  public MountPath(String path) {
    this.given = withoutSlash(path);
    String normal = withoutSlash(NormalPath.of(path));
    this.text = RoutePath.decoded(normal).text();
    this.dotted = normal.indexOf("/.", 1) > 0;
    this.decoded = joined(withoutSlash(NormalPath.decoded(normal)));
  }

  /** Returns the path as it was defined, without its trailing slash; empty for the root. */
  @Override
  public String toString() {
    return given;
  }

  /** Returns the path in the form that is compared with a request path. */
  public String comparedWith(RoutePath path) {
    return path.isDecoded() ? text : given;
  }

  /** Returns true if this mount path covers a path. */
  public boolean covers(RoutePath path) {
    return covers(comparedWith(path), path.text());
  }

  /** Returns true if a mount path covers a path. */
  static boolean covers(String prefix, String path) {
    int length = prefix.length();
    if (length > 0 && !PathMatcher.startsWith(path, 0, prefix, true)) {
      return false;
    }
    return path.length() == length || path.charAt(length) == '/' || path.charAt(length) == '.';
  }

  /**
   * Returns true if only the spelling of a path decides whether this mount path covers it. A file
   * server may find the same file for another spelling. Examples are escapes, dot segments after
   * the mount path, and a dot instead of a slash and a dot.
   *
   * @param covered whether this mount path covers the path
   */
  public boolean isAmbiguous(RoutePath path, boolean covered) {
    boolean clear = !covered && !path.isEscaped() && !dotted;
    if (clear || text.isEmpty() || !path.isDecoded()) {
      return false;
    }
    return (covered && isDots(path.text(), text.length()))
        || covers(decoded, joined(path.fileForm())) != covered;
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
