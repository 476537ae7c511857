package dev.percolate.examples.database;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.http.HttpError;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The database transaction of a request.
 *
 * <p>The first statement takes a connection from the pool. Directly before the response is sent,
 * the transaction is committed if the status code is below 400, and rolled back otherwise. So a
 * client that gets a success can rely on it, and a failed commit is an error for the error
 * handlers. If no response is sent, the transaction is rolled back when the request ends.
 */
public final class Transaction {

  private static final Key<Transaction> KEY =
      Key.of("transaction", Transaction.class)
          .providedBy("app.use(Transaction.ofEachRequest(pool))");

  private final DataSource pool;
  private @Nullable Connection connection;
  private boolean ended;

  private Transaction(DataSource pool) {
    this.pool = pool;
  }

  /** Creates middleware that gives each request a transaction. */
  public static Middleware ofEachRequest(DataSource pool) {
    return (req, res, next) -> {
      Transaction transaction = new Transaction(pool);
      req.attr(KEY, transaction);
      res.onHeaders(() -> transaction.end(res.status() < 400, true));
      res.onFinish(transaction::endUnfinished);
      next.run();
    };
  }

  /** Returns the transaction of a request. */
  public static Transaction of(Request req) {
    return req.attr(KEY);
  }

  /**
   * Returns the rows of a query as records, or the values of one column.
   *
   * @param type a record, whose components are the columns in order, or the type of the column; a
   *     component that is a record takes several columns
   */
  public <T> List<T> list(Class<T> type, String sql, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement select = bind(connection().prepareStatement(sql), values);
        ResultSet rows = select.executeQuery()) {
      List<T> all = new ArrayList<>();
      while (rows.next()) {
        all.add(RowReader.read(type, rows));
      }
      return all;
    } catch (SQLException e) {
      throw rejected(e);
    }
  }

  /** Returns the first row of a query. */
  public <T> Optional<T> first(Class<T> type, String sql, @Nullable Object... values)
      throws SQLException {
    return list(type, sql, values).stream().findFirst();
  }

  /** Changes rows, and returns their number. */
  public int update(String sql, @Nullable Object... values) throws SQLException {
    try (PreparedStatement update = bind(connection().prepareStatement(sql), values)) {
      return update.executeUpdate();
    } catch (SQLException e) {
      throw rejected(e);
    }
  }

  /** Inserts a row, and returns its generated id. */
  public long insert(String sql, @Nullable Object... values) throws SQLException {
    String[] generated = {"id"};
    try (PreparedStatement insert = bind(connection().prepareStatement(sql, generated), values)) {
      insert.executeUpdate();
      try (ResultSet keys = insert.getGeneratedKeys()) {
        keys.next();
        return keys.getLong(1);
      }
    } catch (SQLException e) {
      throw rejected(e);
    }
  }

  /** Returns the error of the client: a key that exists, or a value that no column can hold. */
  private static HttpError rejected(SQLException error) throws SQLException {
    String state = String.valueOf(error.getSQLState());
    if (state.equals("23505")) { // unique violation
      return new HttpError(409, "exists already", "row.exists", error);
    } else if (state.startsWith("22")) { // data exceptions
      return new HttpError(422, "contains an invalid value", "value.invalid", error);
    }
    throw error;
  }

  private static PreparedStatement bind(PreparedStatement statement, @Nullable Object... values)
      throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  private synchronized Connection connection() throws SQLException {
    if (ended) {
      throw new IllegalStateException("the transaction has ended, since the response was sent");
    }
    Connection open = connection;
    if (open == null) {
      open = pool.getConnection();
      connection = open;
      open.setAutoCommit(false);
    }
    return open;
  }

  /** Commits now. The next statement takes a connection again, for another transaction. */
  public void commit() {
    end(true, false);
  }

  private synchronized void end(boolean success, boolean last) {
    ended |= last;
    Connection open = connection;
    connection = null;
    if (open == null) {
      return;
    }
    try (open) {
      if (success) {
        open.commit();
      } else {
        open.rollback();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot end the transaction", e);
    }
  }

  /** Rolls back if there was no response. Hooks of {@code onFinish} must not block. */
  private synchronized void endUnfinished() {
    if (connection != null) {
      CompletableFuture<Void> ignored = CompletableFuture.runAsync(() -> end(false, true));
    }
  }
}
