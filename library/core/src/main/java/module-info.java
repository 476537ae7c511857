import org.jspecify.annotations.NullMarked;

/** HTTP requests and responses, and the middleware and handlers that process them. */
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
  uses dev.percolate.core.Validation;
}
