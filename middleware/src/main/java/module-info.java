import org.jspecify.annotations.NullMarked;

/** Middleware of general use: static files and cookies. */
@NullMarked
module dev.percolate.middleware {
  requires transitive dev.percolate.core;
  requires static org.jspecify;

  exports dev.percolate.middleware;
}
