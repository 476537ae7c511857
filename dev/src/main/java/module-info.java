import org.jspecify.annotations.NullMarked;

/** What a developer sees of an application: its requests, its errors, its routes. */
@NullMarked
module dev.percolate.dev {
  requires transitive dev.percolate.framework;
  requires jdk.jfr;
  requires static org.jspecify;

  exports dev.percolate.dev;
}
