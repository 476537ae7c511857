import org.jspecify.annotations.NullMarked;

/** What an engine supplies for each exchange, and what engines share; knows no steps. */
@NullMarked
@SuppressWarnings("module") // those that it opens its parts to are compiled later
module dev.percolate.engine {
  requires transitive dev.percolate.http;
  requires static transitive org.jspecify;
  requires java.management;
  requires jdk.unsupported; // by it a second signal is seen

  exports dev.percolate.engine;
  exports dev.percolate.engine.loop to
      dev.percolate.http2,
      dev.percolate.nio;
  exports dev.percolate.engine.tls to
      dev.percolate.nio;

  uses dev.percolate.engine.Engine;
}
