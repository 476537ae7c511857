package dev.percolate.framework;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;

/** A middleware at a mount path. */
final class Mount extends Layer {

  private final String prefix;
  private final Middleware step;
  private final boolean takesErrors;
  private final String origin;

  Mount(String path, Middleware step, String origin) {
    this.prefix = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    this.step = step;
    this.takesErrors = step instanceof ErrorHandler;
    this.origin = origin;
  }

  /** Gives the mount path without its trailing slash; empty for the root. */
  String prefix() {
    return prefix;
  }

  Middleware step() {
    return step;
  }

  boolean takesErrors() {
    return takesErrors;
  }

  /** Tells whether a path begins with the mount path, and ends there or goes on with / or a dot. */
  boolean covers(String path) {
    int length = prefix.length();
    if (length > 0 && (prefix.charAt(0) != '/' || !PathMatcher.startsWith(path, 0, prefix, true))) {
      return false;
    }
    return path.length() == length || path.charAt(length) == '/' || path.charAt(length) == '.';
  }

  @Override
  public String toString() {
    return "use " + (prefix.isEmpty() ? "/" : prefix) + " at " + origin;
  }
}
