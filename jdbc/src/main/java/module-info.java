import org.jspecify.annotations.NullMarked;

/** Sessions that several servers share, in a database. */
@NullMarked
module dev.percolate.jdbc {
  requires transitive dev.percolate.core;
  requires transitive java.sql;
  requires static org.jspecify;

  exports dev.percolate.jdbc;
}
