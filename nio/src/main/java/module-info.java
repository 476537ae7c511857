import org.jspecify.annotations.NullMarked;

/**
 * The HTTP engine on the selector of the JDK: HTTP/1.1, in clear text and over TLS, without any
 * library.
 */
@NullMarked
module dev.percolate.nio {
  requires transitive dev.percolate.engine;
  requires static org.jspecify;

  exports dev.percolate.nio;

  provides dev.percolate.engine.Engine with
      dev.percolate.nio.NioEngine;
}
