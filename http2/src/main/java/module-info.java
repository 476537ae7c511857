import org.jspecify.annotations.NullMarked;

/** HTTP/2 for the engine {@code nio}: found by it, and offered where there is TLS. */
@NullMarked
@SuppressWarnings({"module", "requires-automatic"}) // its name, and HttpCore has no descriptor
module dev.percolate.http2 {
  requires transitive dev.percolate.nio;
  requires org.apache.httpcomponents.core5.httpcore5;
  requires org.apache.httpcomponents.core5.httpcore5.h2;
  requires static org.jspecify;

  exports dev.percolate.http2;

  provides dev.percolate.nio.protocol.Protocol with
      dev.percolate.http2.Http2Protocol;
}
