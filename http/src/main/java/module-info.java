import org.jspecify.annotations.NullMarked;

/** Pure functions on the text of HTTP headers and on form bodies; depends on the JDK only. */
@NullMarked
module dev.percolate.http {
  requires static transitive org.jspecify;

  exports dev.percolate.http;
}
