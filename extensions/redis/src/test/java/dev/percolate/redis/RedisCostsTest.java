package dev.percolate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.core.store.RateLimitStore;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.SessionStore.Entry;
import dev.percolate.core.store.SessionStore.Owner;
import dev.percolate.core.store.SessionStore.SessionData;
import dev.percolate.fixtures.CostTable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares the table of costs in the page for operators with a real Redis. */
final class RedisCostsTest {

  private static final CostTable TABLE = new CostTable("redis-costs");
  private static final Duration PATIENT = Duration.ofSeconds(10);

  /** A session of 200 characters. */
  private static final String JSON = "{\"cart\":\"" + "x".repeat(189) + "\"}";

  private static RedisServer server;
  private static Redis redis;
  private static final AtomicLong COMMANDS = new AtomicLong();

  @BeforeAll
  static void start() throws IOException {
    server = RedisServer.start();
    redis = Redis.of(new Counting(commands()), "shop", PATIENT);
  }

  private static RedisCommands commands() {
    return new LettuceCommands(RedisAddress.of(server.url()));
  }

  @AfterAll
  static void stop() throws IOException {
    if (server != null) {
      redis.close();
      server.close();
    }
  }

  @Test
  void sessions() throws Exception {
    SessionStore store = redis.sessions();
    SessionData data = new SessionData(JSON, Instant.now().plusSeconds(3600), 3_600_000L);
    store.create("one", data);
    check("read a session", n -> assertNotNull(store.load("one")));
    check("extend a session (touch)", n -> assertTrue(store.touch("one", data)));
    check(
        "change a session",
        n -> {
          Entry entry = store.load("one");
          assertTrue(store.replace("one", data, entry.version()).replaced());
        });
    check("log in: create a session", n -> store.create("user " + n, owned(n)));
    check("log out: remove a session", n -> store.remove("user " + n));
  }

  private static SessionData owned(int number) {
    Owner owner = new Owner("user-" + (100_000 + number), Instant.now(), "Mozilla/5.0");
    return new SessionData(JSON, Instant.now().plusSeconds(3600), 3_600_000L, null, owner);
  }

  @Test
  void ratesKeysAndTopics() throws Exception {
    RateLimitStore rates = redis.rateLimits("requests");
    check(
        "rate limit, allowed",
        n -> assertTrue(rates.take("10.0.0.1", 1, 1_000_000, 1000).allowed()));
    rates.take("10.0.0.2", 1, 1, 86_400_000);
    check("rate limit, rejected", n -> rates.take("10.0.0.2", 1, 1, 86_400_000));
    IdempotencyStore keys = redis.idempotency();
    check(
        "idempotency key",
        n -> {
          String key = "k".repeat(39) + (1000 + n);
          assertEquals(null, keys.acquire(key, "t".repeat(22), "f".repeat(43), PATIENT));
          assertTrue(keys.save(key, "t".repeat(22), JSON, Duration.ofDays(1)));
        });
    check("publish a message", n -> redis.topics().publish("news", JSON, 10));
  }

  @Test
  void aMessageCostsAServerThatListensNoCommand() throws Exception {
    Semaphore heard = new Semaphore(0);
    try (Redis other = Redis.of(commands(), "shop", PATIENT);
        AutoCloseable subscription =
            redis.topics().subscribe("room", 0, message -> heard.release())) {
      assertNotNull(subscription);
      long before = COMMANDS.get();
      int messages = 100;
      for (int i = 0; i < messages; i++) {
        other.topics().publish("room", JSON, 10);
        assertTrue(heard.tryAcquire(20, TimeUnit.SECONDS));
      }
      assertEquals(0, (COMMANDS.get() - before + messages / 2) / messages);
    }
  }

  @Test
  void sessionsAndRatesHaveTheSizesOfThePage() throws Exception {
    long before = info("memory", "used_memory_dataset");
    int sessions = 10_000;
    for (int i = 0; i < sessions; i++) {
      redis.sessions().create("sized " + i, owned(i));
    }
    long after = info("memory", "used_memory_dataset");
    TABLE.check("a session with its owner", List.of((after - before) / sessions));
  }

  private static long info(String section, String name) throws IOException {
    for (String line : server.say("info", section).lines().toList()) {
      if (line.startsWith(name + ":")) {
        return Long.parseLong(line.substring(name.length() + 1).strip());
      }
    }
    throw new IllegalStateException(name);
  }

  private static void check(String name, CostTable.Operation operation) throws Exception {
    TABLE.check(name, RedisCostsTest::traffic, operation);
  }

  private static List<Long> traffic() throws IOException {
    return List.of(
        COMMANDS.get(),
        info("stats", "total_net_input_bytes"),
        info("stats", "total_net_output_bytes"));
  }

  /** Counts commands that requests wait for. */
  private record Counting(RedisCommands commands) implements ForwardingCommands {

    @Override
    public CompletionStage<@Nullable Object> send(
        List<String> before, String key, List<String> after) {
      COMMANDS.incrementAndGet();
      return commands.send(before, key, after);
    }
  }
}
