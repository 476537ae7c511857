import org.jspecify.annotations.NullMarked;

/**
 * Sessions, rate limits, idempotent responses and topics, shared by several servers through
 * PostgreSQL.
 */
@NullMarked
module dev.percolate.jdbc {
  requires transitive dev.percolate.core;
  requires transitive java.sql;
  requires static org.jspecify;

  exports dev.percolate.jdbc;
}
