package dev.percolate.examples.database;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Brings a database to the current version. The files {@code 1.sql}, {@code 2.sql} and so on are
 * run once, in this order. A file must not change after it has been run.
 */
public final class Migrations {

  private Migrations() {}

  /**
   * Runs the files that have not been run. In PostgreSQL, all of them are one transaction, and
   * several servers can start at the same time.
   *
   * @param pool the database
   * @param owner a class in the package with the files
   * @return the number of files that were run
   */
  public static int run(DataSource pool, Class<?> owner) throws SQLException, IOException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      if (connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
        statement.execute("select pg_advisory_xact_lock(20261127)"); // other servers wait
      }
      statement.execute("create table if not exists migration (version int primary key)");
      int first = version(statement) + 1;
      int next = first;
      for (String sql = file(owner, next); !sql.isEmpty(); sql = file(owner, next)) {
        statement.execute(sql);
        statement.execute("insert into migration values (" + next + ")");
        next++;
      }
      connection.commit();
      return next - first;
    }
  }

  private static int version(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("select max(version) from migration")) {
      row.next();
      return row.getInt(1); // 0 for null
    }
  }

  /** Returns a file; empty after the last one. */
  private static String file(Class<?> owner, int version) throws IOException {
    try (InputStream file = owner.getResourceAsStream(version + ".sql")) {
      return file == null ? "" : new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
