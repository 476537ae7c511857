package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.core.store.MemberStore;
import dev.percolate.core.store.RateLimitStore;
import dev.percolate.core.store.TopicBus;
import dev.percolate.testkit.IdempotencyStoreContract;
import dev.percolate.testkit.RateLimitStoreContract;
import dev.percolate.testkit.RoomsContract;
import dev.percolate.testkit.TopicBusContract;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Runs the contracts of stores on H2, for one process. */
final class H2StoresTest {

  private static JdbcConnectionPool pool;
  private static Jdbc jdbc;

  @BeforeAll
  static void open() throws Exception {
    pool =
        JdbcConnectionPool.create(
            "jdbc:h2:mem:stores;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000", "sa", "");
    pool.setMaxConnections(40);
    jdbc = Jdbc.of(pool, Duration.ofSeconds(30));
    jdbc.createTables();
  }

  @AfterAll
  static void close() {
    jdbc.close();
    pool.dispose();
  }

  @Nested
  final class RateLimits extends RateLimitStoreContract {

    @Override
    protected RateLimitStore store() {
      return jdbc.rateLimits("test");
    }
  }

  @Nested
  final class Idempotency extends IdempotencyStoreContract {

    @Override
    protected IdempotencyStore store() {
      return jdbc.idempotency();
    }
  }

  @Nested
  final class Members extends RoomsContract {

    @Override
    protected MemberStore store() {
      return jdbc.members();
    }
  }

  @Nested
  final class Topics extends TopicBusContract {

    @Override
    protected TopicBus bus() {
      return jdbc.topics();
    }

    @Override
    protected TopicBus other() {
      return jdbc.topics();
    }
  }

  @Test
  void anEffectHappensOnce() throws Exception {
    EffectTrial.run(jdbc, pool);
  }

  /** Another instance does not notify this one, so that the query every five seconds finds it. */
  @Test
  void messagesOfAnotherInstanceAreFoundByAQuery() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    Jdbc other = Jdbc.of(pool, Duration.ofSeconds(30));
    try (AutoCloseable listening =
        jdbc.topics().subscribe("elsewhere", 0, message -> heard.add(message.json()))) {
      assertNotNull(listening);
      other.topics().publish("elsewhere", "1", 0);
      other.topics().publish("elsewhere", "2", 0);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (heard.size() < 2 && System.nanoTime() < end) {
        Thread.sleep(5);
      }
    }
    assertEquals(List.of("1", "2"), heard);
  }

  @Test
  void oldRowsAreDeleted() throws Exception {
    SweepTrial.run(pool);
  }
}
