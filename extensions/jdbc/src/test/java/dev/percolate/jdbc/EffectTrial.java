package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;

/** Checks on any database that an effect and its key are in one transaction. */
final class EffectTrial {

  private final JdbcIdempotency keys;
  private final DataSource source;

  private EffectTrial(JdbcIdempotency keys, DataSource source) {
    this.keys = keys;
    this.source = source;
  }

  static void run(Jdbc jdbc, DataSource source) throws Exception {
    EffectTrial trial = new EffectTrial(jdbc.idempotency(), source);
    trial.execute("create table effects (text varchar(200))");
    try {
      trial.aRepetitionReturnsTheResult();
      trial.anEffectThatFailsChangesNothing();
      trial.simultaneousRequestsRunOneEffect();
      trial.requestsWithoutAKeyAreSeparate();
      trial.theKeyOfAResponseIsAnother();
    } finally {
      trial.execute("drop table effects");
    }
  }

  private void aRepetitionReturnsTheResult() throws Exception {
    String key = UUID.randomUUID().toString();
    assertEquals("1", keys.inTransaction(key, open -> insert(open, key, "1")));
    assertEquals("1", keys.inTransaction(key, open -> insert(open, key, "2")));
    assertEquals(1, count(key));
  }

  private void anEffectThatFailsChangesNothing() throws Exception {
    String key = UUID.randomUUID().toString();
    assertThrows(
        IllegalStateException.class,
        () ->
            keys.inTransaction(
                key,
                open -> {
                  insert(open, key, "1");
                  throw new IllegalStateException("no");
                }));
    assertEquals(0, count(key));
    assertEquals("2", keys.inTransaction(key, open -> insert(open, key, "2")));
    assertEquals(1, count(key));
  }

  private void simultaneousRequestsRunOneEffect() throws Exception {
    String key = UUID.randomUUID().toString();
    List<Callable<String>> crowd = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String mine = "" + i;
      crowd.add(
          () ->
              keys.inTransaction(
                  key,
                  open -> {
                    Thread.sleep(20);
                    return insert(open, key, mine);
                  }));
    }
    ExecutorService threads = Executors.newFixedThreadPool(crowd.size());
    List<Future<String>> results = threads.invokeAll(crowd);
    threads.shutdown();
    for (Future<String> result : results) {
      assertEquals(results.get(0).get(), result.get());
    }
    assertEquals(1, count(key));
  }

  private void requestsWithoutAKeyAreSeparate() throws Exception {
    String text = UUID.randomUUID().toString();
    assertEquals("1", keys.inTransaction(null, open -> insert(open, text, "1")));
    assertEquals("2", keys.inTransaction(null, open -> insert(open, text, "2")));
    assertEquals(2, count(text));
  }

  private void theKeyOfAResponseIsAnother() throws Exception {
    String key = UUID.randomUUID().toString();
    assertEquals(null, keys.acquire(key, "one", "print", java.time.Duration.ofMinutes(1)));
    assertEquals("1", keys.inTransaction(key, open -> insert(open, key, "1")));
    assertEquals(true, keys.save(key, "one", "response", java.time.Duration.ofMinutes(1)));
  }

  private static String insert(Connection open, String text, String result) throws SQLException {
    try (Statement statement = open.createStatement()) {
      statement.executeUpdate("insert into effects values ('" + text + "')");
    }
    return result;
  }

  private int count(String text) throws SQLException {
    try (Connection open = source.getConnection();
        Statement statement = open.createStatement();
        ResultSet row =
            statement.executeQuery("select count(*) from effects where text = '" + text + "'")) {
      row.next();
      return row.getInt(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection open = source.getConnection();
        Statement statement = open.createStatement()) {
      statement.execute(sql);
    }
  }
}
