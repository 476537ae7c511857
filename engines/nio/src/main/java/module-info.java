import org.jspecify.annotations.NullMarked;

/**
 * The HTTP engine on the JDK's selectors, without any library: HTTP/1.1 in clear text and over TLS,
 * and HTTP/2 with {@code percolate-http2}.
 */
@NullMarked
@SuppressWarnings("module") // modules named in its exports are compiled later
module dev.percolate.nio {
  requires transitive dev.percolate.engine;
  requires java.management;
  requires static org.jspecify;

  exports dev.percolate.nio;
  exports dev.percolate.nio.loop to
      dev.percolate.http2;
  exports dev.percolate.nio.protocol to
      dev.percolate.http2;

  uses dev.percolate.nio.protocol.Protocol;

  provides dev.percolate.engine.Engine with
      dev.percolate.nio.NioEngine;
}
