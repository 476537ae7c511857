package dev.percolate.framework;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.framework.path.MountPath;

/** A middleware at a mount path. */
record Mount(MountPath path, Middleware step, boolean takesErrors, String origin) implements Layer {

  Mount(String path, Middleware step, String origin) {
    this(new MountPath(path), step, step instanceof ErrorHandler, origin);
  }

  /** Returns the mount path as it was defined, without its trailing slash; empty for the root. */
  String prefix() {
    return path.toString();
  }

  @Override
  public String name() {
    return "use " + (prefix().isEmpty() ? "/" : prefix());
  }
}
