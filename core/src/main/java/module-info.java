import org.jspecify.annotations.NullMarked;

/** One exchange for people: the vocabulary of requests, responses and the steps between them. */
@NullMarked
module dev.percolate.core {
  requires transitive dev.percolate.engine;
  requires transitive dev.percolate.http;
  requires static transitive org.jspecify;

  exports dev.percolate.core;
  exports dev.percolate.core.store;

  uses dev.percolate.core.BodyDecoder;
  uses dev.percolate.core.ContextCarrier;
  uses dev.percolate.core.JsonCodec;
}
