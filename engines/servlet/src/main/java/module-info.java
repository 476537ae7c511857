import org.jspecify.annotations.NullMarked;

/** Percolate in a servlet container: middleware as a filter, an application as a servlet. */
@NullMarked
module dev.percolate.servlet {
  requires transitive dev.percolate.core;
  requires static transitive jakarta.servlet;
  requires static org.jspecify;

  exports dev.percolate.servlet;
}
