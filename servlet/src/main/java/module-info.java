import org.jspecify.annotations.NullMarked;

/** Percolate inside a servlet container: middleware as a filter, a service as a servlet. */
@NullMarked
module dev.percolate.servlet {
  requires transitive dev.percolate.core;
  requires static transitive jakarta.servlet;
  requires static org.jspecify;

  exports dev.percolate.servlet;
}
