import org.jspecify.annotations.NullMarked;

/** The HTTP engine, on Vert.x core: HTTP/1.1, HTTPS and HTTP/2. */
@NullMarked
module dev.percolate.vertx {
  requires transitive dev.percolate.engine;
  requires static org.jspecify;
  requires io.vertx.core;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http;
  requires io.netty.codec.http2;
  requires io.netty.common;
  requires io.netty.transport;

  exports dev.percolate.vertx;

  provides dev.percolate.engine.Engine with
      dev.percolate.vertx.VertxEngine;
}
