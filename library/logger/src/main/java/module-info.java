import org.jspecify.annotations.NullMarked;

/** The request logger (access log), with predefined and custom formats. */
@NullMarked
module dev.percolate.logger {
  requires transitive dev.percolate.core;
  requires static transitive org.jspecify;
  requires static org.slf4j;

  exports dev.percolate.logger;
}
