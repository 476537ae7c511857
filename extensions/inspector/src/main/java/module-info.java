import org.jspecify.annotations.NullMarked;

/** Hot reload, request inspector, error pages and 404 pages for development. */
@NullMarked
module dev.percolate.inspector {
  requires transitive dev.percolate.framework;
  requires java.logging;
  requires jdk.jfr;
  requires static java.compiler;
  requires static org.jspecify;

  exports dev.percolate.inspector;
}
