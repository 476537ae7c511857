import org.jspecify.annotations.NullMarked;

/** Functions on HTTP headers, URLs, form bodies and WebSocket frames. Depends on the JDK only. */
@NullMarked
module dev.percolate.http {
  requires static transitive org.jspecify;

  exports dev.percolate.http;
}
