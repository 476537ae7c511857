import org.jspecify.annotations.NullMarked;

/** Request inspector, error pages and 404 pages for development. */
@NullMarked
module dev.percolate.inspector {
  requires transitive dev.percolate.framework;
  requires jdk.jfr;
  requires static org.jspecify;

  exports dev.percolate.inspector;
}
