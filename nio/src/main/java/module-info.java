import org.jspecify.annotations.NullMarked;

/**
 * The HTTP engine on the selector of the JDK: HTTP/1.1, in clear text and over TLS, without any
 * library; HTTP/2 where {@code percolate-http2} is there.
 */
@NullMarked
@SuppressWarnings("module") // that which it opens its parts to is compiled later
module dev.percolate.nio {
  requires transitive dev.percolate.engine;
  requires static org.jspecify;

  exports dev.percolate.nio;
  exports dev.percolate.nio.protocol to
      dev.percolate.http2;

  uses dev.percolate.nio.protocol.Protocol;

  provides dev.percolate.engine.Engine with
      dev.percolate.nio.NioEngine;
}
