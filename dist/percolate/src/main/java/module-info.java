import org.jspecify.annotations.NullMarked;

/** Everything that an application needs, passed on by one dependency. */
@NullMarked
module dev.percolate {
  requires transitive dev.percolate.core;
  requires transitive dev.percolate.framework;
  requires transitive dev.percolate.json;
  requires transitive dev.percolate.logger;
  requires transitive dev.percolate.middleware;
  requires transitive dev.percolate.parsers;
  requires dev.percolate.nio;
  requires static org.jspecify;
}
