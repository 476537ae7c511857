package dev.percolate.framework;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.framework.path.MountPath;

/** A middleware at a mount path. */
final class Mount extends Layer {

  private final MountPath path;
  private final Middleware step;
  private final boolean takesErrors;
  private final String origin;

  Mount(String path, Middleware step, String origin) {
    this.path = new MountPath(path);
    this.step = step;
    this.takesErrors = step instanceof ErrorHandler;
    this.origin = origin;
  }

  MountPath path() {
    return path;
  }

  /** Returns the mount path as it was defined, without its trailing slash; empty for the root. */
  String prefix() {
    return path.toString();
  }

  Middleware step() {
    return step;
  }

  boolean takesErrors() {
    return takesErrors;
  }

  @Override
  String name() {
    return "use " + (prefix().isEmpty() ? "/" : prefix());
  }

  @Override
  String origin() {
    return origin;
  }
}
