import org.jspecify.annotations.NullMarked;

/** What an engine supplies for each exchange, and what engines share; knows no steps. */
@NullMarked
module dev.percolate.engine {
  requires transitive dev.percolate.http;
  requires static transitive org.jspecify;

  exports dev.percolate.engine;

  uses dev.percolate.engine.Engine;
}
