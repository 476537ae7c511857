package com.example.books;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A connection pool for H2 or PostgreSQL, and transactions that use it. */
final class Database implements AutoCloseable {

  private final HikariDataSource pool;

  /** The statements of one transaction. */
  interface Work<T> {
    T run(Transaction tx) throws SQLException;
  }

  /** Reads a row of a result. */
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  private Database(HikariDataSource pool) {
    this.pool = pool;
  }

  /** Opens a pool, and brings the tables to the current version. */
  static Database open(String url) throws SQLException, IOException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(10); // other requests wait for a connection,
    config.setConnectionTimeout(2000); // at most this number of ms
    Database database = new Database(new HikariDataSource(config));
    database.migrate();
    return database;
  }

  /** Runs 1.sql, 2.sql and so on, each of them once. */
  private void migrate() throws SQLException, IOException {
    String table = "create table if not exists migration (version int primary key)";
    String max = "select coalesce(max(version), 0) from migration";
    transaction(tx -> tx.update(table));
    int version = transaction(tx -> tx.list(row -> row.getInt(1), max)).get(0);
    for (String sql = file(version + 1); !sql.isEmpty(); sql = file(version + 1)) {
      version = run(version + 1, sql);
    }
  }

  private int run(int version, String sql) throws SQLException {
    return transaction(
        tx -> {
          tx.update(sql);
          tx.update("insert into migration values (?)", version);
          return version;
        });
  }

  /** Returns a file; empty after the last one. */
  private static String file(int version) throws IOException {
    try (InputStream file = Database.class.getResourceAsStream(version + ".sql")) {
      return file == null ? "" : new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Runs statements in one transaction: all of them take effect, or none if one throws. */
  <T> T transaction(Work<T> work) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      try {
        T result = work.run(new Transaction(connection));
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      }
    }
  }

  /** Calls of JDBC. */
  record Transaction(Connection connection) {

    /** Returns the rows of a query. */
    <T> List<T> list(Row<T> reader, String sql, Object... values) throws SQLException {
      try (PreparedStatement select = bind(connection.prepareStatement(sql), values);
          ResultSet rows = select.executeQuery()) {
        List<T> all = new ArrayList<>();
        while (rows.next()) {
          all.add(reader.read(rows));
        }
        return all;
      }
    }

    /** Changes rows, and returns their number. */
    int update(String sql, Object... values) throws SQLException {
      try (PreparedStatement update = bind(connection.prepareStatement(sql), values)) {
        return update.executeUpdate();
      }
    }

    /** Inserts a row, and returns its id. */
    long insert(String sql, Object... values) throws SQLException {
      String[] generated = {"id"};
      try (PreparedStatement insert = bind(connection.prepareStatement(sql, generated), values)) {
        insert.executeUpdate();
        try (ResultSet keys = insert.getGeneratedKeys()) {
          keys.next();
          return keys.getLong(1);
        }
      }
    }

    private static PreparedStatement bind(PreparedStatement statement, Object... values)
        throws SQLException {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      return statement;
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
