import org.jspecify.annotations.NullMarked;

/** Keeps the SLF4J MDC of a request when it moves to another thread. */
@NullMarked
module dev.percolate.slf4j {
  requires transitive dev.percolate.core;
  requires org.slf4j;
  requires static org.jspecify;

  exports dev.percolate.slf4j;

  provides dev.percolate.core.ContextCarrier with
      dev.percolate.slf4j.MdcCarrier;
}
