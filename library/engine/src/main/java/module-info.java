import org.jspecify.annotations.NullMarked;

/**
 * The interface between engines (HTTP servers) and applications, and code that engines share.
 * Contains no middleware.
 */
@NullMarked
@SuppressWarnings("module") // modules named in its exports are compiled later
module dev.percolate.engine {
  requires transitive dev.percolate.http;
  requires static transitive org.jspecify;
  requires java.management;
  requires jdk.unsupported; // to detect a second signal

  exports dev.percolate.engine;
  exports dev.percolate.engine.loop to
      dev.percolate.http2,
      dev.percolate.nio;
  exports dev.percolate.engine.tls to
      dev.percolate.nio;

  uses dev.percolate.engine.Engine;
}
