import org.jspecify.annotations.NullMarked;

/** The HTTP engine without dependencies, on the HTTP server of the JDK: HTTP/1.1 and HTTPS. */
@NullMarked
module dev.percolate.jdk {
  requires transitive dev.percolate.engine;
  requires static org.jspecify;
  requires jdk.httpserver;

  exports dev.percolate.jdk;

  provides dev.percolate.engine.Engine with
      dev.percolate.jdk.JdkEngine;
}
