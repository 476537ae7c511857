import org.jspecify.annotations.NullMarked;

/** Sessions, limits, answers and topics that several servers share, in Redis. */
@NullMarked
module dev.percolate.redis {
  requires transitive dev.percolate.core;
  requires io.netty.common;
  requires lettuce.core;
  requires org.slf4j; // the need of Lettuce, which it cannot tell as an automatic module
  requires static org.jspecify;

  exports dev.percolate.redis;
}
