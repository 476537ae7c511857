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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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

  private static final Path PAGE = Path.of("../../docs/site/pages/guide/operators.md");
  private static final int TIMES = 100;
  private static final int BEFORE = 10;
  private static final Duration PATIENT = Duration.ofSeconds(10);

  /** A session of 200 characters. */
  private static final String JSON = "{\"cart\":\"" + "x".repeat(189) + "\"}";

  private static RedisServer server;
  private static Redis redis;
  private static final AtomicLong COMMANDS = new AtomicLong();

  /** An operation of a store. */
  private interface Operation {
    void run(int number) throws Exception;
  }

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
      for (int i = 0; i < TIMES; i++) {
        other.topics().publish("room", JSON, 10);
        assertTrue(heard.tryAcquire(20, TimeUnit.SECONDS));
      }
      assertEquals(0, each(COMMANDS.get() - before));
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
    assertMatches("a session with its owner", List.of((after - before) / sessions));
  }

  private static long info(String section, String name) throws IOException {
    for (String line : server.say("info", section).lines().toList()) {
      if (line.startsWith(name + ":")) {
        return Long.parseLong(line.substring(name.length() + 1).strip());
      }
    }
    throw new IllegalStateException(name);
  }

  /** Compares round trips, bytes sent and bytes received, each of one operation, with the page. */
  private static void check(String name, Operation operation) throws Exception {
    for (int i = 0; i < BEFORE; i++) {
      operation.run(i);
    }
    long ownSent = info("stats", "total_net_input_bytes");
    long ownReceived = info("stats", "total_net_output_bytes");
    long sent = info("stats", "total_net_input_bytes");
    long received = info("stats", "total_net_output_bytes");
    ownSent = sent - ownSent;
    ownReceived = received - ownReceived;
    long commands = COMMANDS.get();
    for (int i = BEFORE; i < BEFORE + TIMES; i++) {
      operation.run(i);
    }
    assertMatches(
        name,
        List.of(
            each(COMMANDS.get() - commands),
            each(info("stats", "total_net_input_bytes") - sent - ownSent),
            each(info("stats", "total_net_output_bytes") - received - ownReceived)));
  }

  private static long each(long all) {
    return (all + TIMES / 2) / TIMES;
  }

  /**
   * The first figure of several is exact; bytes may differ by an eighth, or by 24, since
   * connections are checked meanwhile. {@code -Dapi.update=true} writes the row.
   */
  private static void assertMatches(String name, List<Long> figures) throws Exception {
    StringBuilder row = new StringBuilder("| " + name + " |");
    figures.forEach(figure -> row.append(' ').append(figure).append(" |"));
    List<String> lines = new ArrayList<>(Files.readAllLines(PAGE));
    int at = 0;
    while (!lines.get(at).contains("{#redis-costs}")) {
      at++;
    }
    while (!lines.get(at).startsWith("| " + name + " |")) {
      at++;
    }
    if (Boolean.getBoolean("api.update")) {
      lines.set(at, row.toString());
      Files.writeString(PAGE, String.join("\n", lines) + "\n");
    }
    String[] shown = lines.get(at).substring(name.length() + 4).split("\\|");
    assertEquals(figures.size(), shown.length, () -> "measured: " + row);
    for (int i = 0; i < figures.size(); i++) {
      long most = figures.size() > 1 && i == 0 ? 0 : Math.max(24, figures.get(i) / 8);
      long difference = Math.abs(figures.get(i) - Long.parseLong(shown[i].strip()));
      assertTrue(difference <= most, () -> "measured: " + row + ", page: " + List.of(shown));
    }
  }

  /** Counts commands that requests wait for. */
  private record Counting(RedisCommands commands) implements RedisCommands {

    @Override
    public CompletionStage<@Nullable Object> send(
        List<String> before, String key, List<String> after) {
      COMMANDS.incrementAndGet();
      return commands.send(before, key, after);
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, Listener listener) {
      return commands.subscribe(channel, listener);
    }

    @Override
    public void reconnect() {
      commands.reconnect();
    }

    @Override
    public void close() {
      commands.close();
    }
  }
}
