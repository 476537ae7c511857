import org.jspecify.annotations.NullMarked;

/** HTTP/2 for the engine {@code nio}, which finds this module and offers HTTP/2 over TLS. */
@NullMarked
@SuppressWarnings({"module", "requires-automatic"}) // name ends with 2; HttpCore is automatic
module dev.percolate.http2 {
  requires transitive dev.percolate.nio;
  requires org.apache.httpcomponents.core5.httpcore5;
  requires org.apache.httpcomponents.core5.httpcore5.h2;
  requires static org.jspecify;

  exports dev.percolate.http2;

  provides dev.percolate.nio.protocol.Protocol with
      dev.percolate.http2.Http2Protocol;
}
