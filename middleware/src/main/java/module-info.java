import org.jspecify.annotations.NullMarked;

/** Middleware of general use: static files, cookies, sessions, compression, guards and more. */
@NullMarked
module dev.percolate.middleware {
  requires transitive dev.percolate.core;
  requires static org.jspecify;

  exports dev.percolate.middleware;
}
