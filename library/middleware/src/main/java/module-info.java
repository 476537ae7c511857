import org.jspecify.annotations.NullMarked;

/** Middleware: static files, cookies, sessions, compression, CORS, CSRF, rate limiting and more. */
@NullMarked
module dev.percolate.middleware {
  requires transitive dev.percolate.core;
  requires static org.jspecify;

  exports dev.percolate.middleware;
}
