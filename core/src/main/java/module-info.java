import org.jspecify.annotations.NullMarked;

/**
 * One exchange: the vocabulary of requests, responses and the steps between them, and what an
 * engine must supply.
 */
@NullMarked
module dev.percolate.core {
  requires transitive dev.percolate.http;
  requires static transitive org.jspecify;

  exports dev.percolate.core;

  uses dev.percolate.core.Engine;
  uses dev.percolate.core.JsonCodec;
}
