import org.jspecify.annotations.NullMarked;

/** The request logger: one line for each request, in a format of one's own. */
@NullMarked
module dev.percolate.logger {
  requires transitive dev.percolate.core;
  requires static transitive org.jspecify;
  requires static org.slf4j;

  exports dev.percolate.logger;
}
