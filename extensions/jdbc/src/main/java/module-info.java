import org.jspecify.annotations.NullMarked;

/** Sessions in a database, shared by several servers. */
@NullMarked
module dev.percolate.jdbc {
  requires transitive dev.percolate.core;
  requires transitive java.sql;
  requires static org.jspecify;

  exports dev.percolate.jdbc;
}
