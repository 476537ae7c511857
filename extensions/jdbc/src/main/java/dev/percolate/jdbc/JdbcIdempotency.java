package dev.percolate.jdbc;

import dev.percolate.core.store.IdempotencyStore;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Stores responses by idempotency key in a database, and runs an effect and its key in one
 * transaction. Created by {@link Jdbc#idempotency}.
 *
 * <p>If a server dies during a request, its response is not stored, and a retry runs the handler
 * again. With {@link #inTransaction}, the effect of the handler still happens only once:
 *
 * <pre>{@code
 * JdbcIdempotency keys = jdbc.idempotency();
 * app.post("/orders", BodyParsers.json(), Idempotency.of(keys), (req, res) -> {
 *   String id = keys.inTransaction(
 *       req.attrOrNull(Idempotency.KEY), connection -> orders.insert(connection, req.body()));
 *   res.status(201).json(Map.of("order", id));
 * });
 * }</pre>
 */
public final class JdbcIdempotency implements IdempotencyStore {

  /** The prefix of rows that record the result of an effect. */
  private static final String EFFECT = "effect:";

  private static final long EFFECT_LIFE = TimeUnit.DAYS.toMicros(2);

  /** How long an effect waits for another one with the same key. */
  private static final Duration EFFECT_TIMEOUT = Duration.ofSeconds(10);

  private static final int MOST_ATTEMPTS = 3;

  private static final String LATER = Statements.MICROS + " + cast(? as bigint)";

  private static final String ADD =
      "insert into percolate_responses (id, token, fingerprint, gone_at) values (?, ?, ?, "
          + LATER
          + ")";

  /** The condition that a running request holds a key. Parameters: key, token. */
  private static final String HELD =
      " where id = ? and token = ? and response is null and gone_at > " + Statements.MICROS;

  private static final String REMOVE_EXPIRED =
      "delete from percolate_responses where id = ? and gone_at <= " + Statements.MICROS;

  private final DataSource source;
  private final Database database;
  private final Statements statements;
  private final Statements patient = new Statements(EFFECT_TIMEOUT);

  /** An effect on the database. */
  @FunctionalInterface
  public interface Effect {

    /**
     * Changes the database. Called again if the database rolls the transaction back because of a
     * conflict.
     *
     * @param connection the connection of the transaction, which the caller commits and closes
     * @return the result to store, such as the id of a new row
     * @throws Exception to roll the transaction back
     */
    String run(Connection connection) throws Exception;
  }

  JdbcIdempotency(DataSource source, Database database) {
    this.source = source;
    this.database = database;
    this.statements = database.statements();
  }

  /**
   * Runs an effect once for a key, in the transaction that also stores the key and the result. If
   * the effect was run before, by any server, it is not run; its stored result is returned. If two
   * servers run it at the same time, one waits for the other. The key is kept for two days.
   *
   * <p>Runs on the calling thread, with a connection and the isolation level of the data source.
   * The timeout of the stores does not apply to it.
   *
   * @param key the value of {@code Idempotency.KEY}; null to run the effect without a key
   * @param effect changes tables of the same database
   * @return the result of the effect
   * @throws SQLException if the database fails; the effect may still have been committed
   * @throws Exception if the effect throws it; then nothing has changed
   */
  public String inTransaction(@Nullable String key, Effect effect) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try (Connection connection = source.getConnection()) {
        return Transaction.<String, Exception>run(connection, open -> run(open, key, effect));
      } catch (SQLException e) {
        if (attempt == MOST_ATTEMPTS || !SqlFailure.isConflict(e)) {
          throw e;
        }
      }
    }
  }

  private String run(Connection connection, @Nullable String key, Effect effect) throws Exception {
    if (key == null) {
      return effect.run(connection);
    }
    String id = EFFECT + key;
    while (!patient.insertOnce(connection, ADD, id, "", "", EFFECT_LIFE)) {
      Entry known = find(connection, id);
      if (known != null) {
        return Objects.requireNonNull(known.response());
      }
      int ignored = patient.update(connection, REMOVE_EXPIRED, id);
    }
    String result = Objects.requireNonNull(effect.run(connection), "the result of an effect");
    int ignored =
        patient.update(
            connection, "update percolate_responses set response = ? where id = ?", result, id);
    return result;
  }

  @Override
  public @Nullable Entry acquire(String key, String token, String fingerprint, Duration lease)
      throws IOException {
    return database
        .ask(
            connection -> {
              Optional<Entry> known = Optional.empty();
              while (known.isEmpty() && !add(connection, key, token, fingerprint, lease)) {
                known = Optional.ofNullable(find(connection, key));
              }
              return known;
            })
        .orElse(null);
  }

  /** Takes a key that does not exist, or whose request has died. */
  private boolean add(
      Connection connection, String key, String token, String fingerprint, Duration lease)
      throws SQLException {
    String takeOver =
        "update percolate_responses set token = ?, fingerprint = ?, response = null, gone_at = "
            + LATER
            + " where id = ? and gone_at <= "
            + Statements.MICROS;
    return statements.insertOnce(connection, ADD, key, token, fingerprint, micros(lease))
        || statements.update(connection, takeOver, token, fingerprint, micros(lease), key) > 0;
  }

  private @Nullable Entry find(Connection connection, String key) throws SQLException {
    String sql =
        "select fingerprint, response from percolate_responses where id = ? and gone_at > "
            + Statements.MICROS;
    try (PreparedStatement select = statements.prepare(connection, sql, key);
        ResultSet row = select.executeQuery()) {
      return row.next() ? new Entry(row.getString(1), row.getString(2)) : null;
    }
  }

  @Override
  public boolean renew(String key, String token, Duration lease) throws IOException {
    String sql = "update percolate_responses set gone_at = " + LATER + HELD;
    return change(sql, micros(lease), key, token);
  }

  @Override
  public boolean save(String key, String token, String response, Duration life) throws IOException {
    String sql = "update percolate_responses set response = ?, gone_at = " + LATER + HELD;
    return change(sql, response, micros(life), key, token);
  }

  @Override
  public void release(String key, String token) throws IOException {
    boolean ignored = change("delete from percolate_responses" + HELD, key, token);
  }

  private boolean change(String sql, Object... values) throws IOException {
    return database.ask(connection -> statements.update(connection, sql, values) > 0);
  }

  private static long micros(Duration time) {
    return Math.max(1, TimeUnit.MILLISECONDS.toMicros(time.toMillis()));
  }
}
