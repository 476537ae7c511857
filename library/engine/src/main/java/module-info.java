import org.jspecify.annotations.NullMarked;

/** The interface between engines (HTTP servers) and applications. Contains no middleware. */
@NullMarked
module dev.percolate.engine {
  requires transitive dev.percolate.http;
  requires static transitive org.jspecify;
  requires jdk.unsupported; // to detect a second signal

  exports dev.percolate.engine;

  uses dev.percolate.engine.Engine;
}
