import org.jspecify.annotations.NullMarked;

/**
 * Sessions, rate limits, idempotent responses and topics, shared by several servers through Redis.
 */
@NullMarked
module dev.percolate.redis {
  requires transitive dev.percolate.core;
  requires io.netty.common;
  requires lettuce.core;
  requires org.slf4j; // Lettuce needs it but, as an automatic module, cannot declare it
  requires static org.jspecify;

  exports dev.percolate.redis;
}
