package dev.percolate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.SessionStore.Entry;
import dev.percolate.core.store.SessionStore.Owner;
import dev.percolate.core.store.SessionStore.SessionData;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests commands while Redis is down, slow, or out of memory, or returns invalid data. */
final class RedisTroubleTest {

  private static final String PASSWORD = "a-very-secret-password";
  private static final SessionData EMPTY = new SessionData("{}", null, null);

  private static RedisServer server;
  private static Redis redis;

  @BeforeAll
  static void start() throws IOException {
    server = RedisServer.start("--appendonly", "yes", "--requirepass", PASSWORD);
    redis = Redis.of(new LettuceCommands(RedisAddress.of(url())), "app", Duration.ofSeconds(5));
  }

  @AfterAll
  static void stop() throws IOException {
    redis.close();
    server.close();
  }

  private static String url() {
    return "redis://:" + PASSWORD + "@127.0.0.1:" + server.port();
  }

  private static void await(String what, BooleanSupplier there) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!there.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, what);
      Thread.sleep(10);
    }
  }

  private static boolean answers(Redis one) {
    try {
      one.ping();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void keysAndMessagesContainNoIdAndNoPassword() throws Exception {
    SessionStore sessions = redis.sessions();
    sessions.create(
        "a secret id",
        new SessionData("{}", null, null, null, new Owner("a secret user", Instant.EPOCH)));
    redis.rateLimits("login").take("a secret client", 1, 5, 60_000);
    redis.idempotency().acquire("a secret key", "t", "f", Duration.ofMinutes(1));
    redis.topics().publish("a secret topic", "{}", 1);
    Object keys = redis.connection().call(List.of("KEYS"), "*", List.of());
    assertTrue(keys instanceof List<?> all && all.size() >= 5, String.valueOf(keys));
    for (Object key : (List<?>) keys) {
      String text = String.valueOf(key);
      assertTrue(text.matches("app:(s|o|r:login|i|t):[\\w-]{43}"), text);
    }
    Redis other = Redis.of("redis://:wrong-secret@127.0.0.1:" + server.port());
    IOException rejected = assertThrows(IOException.class, () -> other.sessions().load("a secret"));
    for (Throwable one = rejected; one != null; one = one.getCause()) {
      assertFalse(String.valueOf(one).contains("secret"), one.toString());
    }
    other.close();
  }

  @Test
  void aUserWithoutChannelsCanStillSendCommands() throws Exception {
    server.say(
        "-a", PASSWORD, "ACL", "SETUSER", "deaf", "on", ">pw", "~*", "+@all", "resetchannels");
    String url = "redis://deaf:pw@127.0.0.1:" + server.port();
    Redis deaf = Redis.of(url, "app", Duration.ofSeconds(5));
    deaf.ping();
    IOException rejected =
        assertThrows(
            IOException.class, () -> deaf.topics().subscribe("news", 0, message -> {}).close());
    assertTrue(String.valueOf(rejected.getMessage()).startsWith("NOPERM"), rejected::toString);
    deaf.ping();
    deaf.close();
  }

  @Test
  void aRestartLosesNeitherSessionsNorScripts() throws Exception {
    SessionStore sessions = redis.sessions();
    Entry entry = sessions.create("restart", EMPTY);
    entry = sessions.replace("restart", EMPTY, entry.version()).current();
    assertNotNull(entry);
    server.restart();
    await("Redis answers again", () -> answers(redis));
    assertEquals(entry, sessions.load("restart"));
    assertTrue(sessions.replace("restart", EMPTY, entry.version()).replaced());
  }

  @Test
  void onlyTheFirstCommandsWaitForAPausedRedis() throws Exception {
    Redis quick =
        Redis.of(new LettuceCommands(RedisAddress.of(url())), "app", Duration.ofMillis(80));
    await("Redis answers", () -> answers(quick));
    server.pause();
    try {
      await("the breaker is open", () -> message(quick).contains("fail immediately"));
      long start = System.nanoTime();
      for (int i = 0; i < 200; i++) {
        assertEquals(
            "Redis at 127.0.0.1:" + server.port() + " is down; commands fail immediately",
            message(quick));
      }
      long each = (System.nanoTime() - start) / 200;
      assertTrue(each < TimeUnit.MILLISECONDS.toNanos(20), () -> each + " ns");
    } finally {
      server.resume();
    }
    await("Redis answers again", () -> answers(quick));
    quick.close();
  }

  private static String message(Redis one) {
    try {
      one.ping();
      return "";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void readsSucceedWhileRedisIsOutOfMemory() throws Exception {
    SessionStore sessions = redis.sessions();
    Entry entry = sessions.create("memory", EMPTY);
    redis.connection().call(List.of("CONFIG", "SET"), "maxmemory", List.of("1"));
    try {
      for (int i = 0; i < 10; i++) {
        IOException full =
            assertThrows(
                IOException.class, () -> sessions.replace("memory", EMPTY, entry.version()));
        assertTrue(String.valueOf(full.getMessage()).startsWith("OOM"), full.getMessage());
        assertEquals(entry, sessions.load("memory"));
      }
    } finally {
      redis.connection().call(List.of("CONFIG", "SET"), "maxmemory", List.of("0"));
    }
    assertTrue(sessions.replace("memory", EMPTY, entry.version()).replaced());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "1\n2\n3",
        "1\nx\ny\nz\n\n\n\n{}",
        "2\n \n \n1\n\n\n\n{}",
        "1\n\n\n\n\n%\n\n"
      })
  void invalidSessionsFail(String garbage) throws Exception {
    SessionStore sessions = redis.sessions();
    redis
        .connection()
        .call(List.of("SET"), redis.connection().key("s", "garbage"), List.of(garbage));
    assertThrows(IOException.class, () -> sessions.load("garbage"));
    assertThrows(IOException.class, () -> sessions.replace("garbage", EMPTY, 1));
    redis.connection().call(List.of("DEL"), redis.connection().key("s", "garbage"), List.of());
    redis.connection().call(List.of("LPUSH"), redis.connection().key("s", "garbage"), List.of("x"));
    assertThrows(IOException.class, () -> sessions.load("garbage"));
    assertThrows(IOException.class, () -> sessions.touch("garbage", EMPTY));
    redis.connection().call(List.of("DEL"), redis.connection().key("s", "garbage"), List.of());
  }

  @Test
  void anOwnerHasABoundedNumberOfSessions() throws Exception {
    SessionStore sessions = redis.sessions();
    SessionData bobs =
        new SessionData("{}", null, null, null, new Owner("bob of many", Instant.EPOCH));
    for (int i = 0; i < 1003; i++) {
      sessions.create("many" + i, bobs);
    }
    int left = 0;
    for (int i = 0; i < 1003; i++) {
      left += sessions.load("many" + i) == null ? 0 : 1;
    }
    assertEquals(1000, left);
    sessions.removeAll("bob of many");
    assertEquals(null, sessions.load("many1002"));
  }

  @Test
  void noMoreThanAThousandCommandsWait() throws Exception {
    Silent silent = new Silent();
    Redis one = Redis.of(silent, "app", Duration.ofSeconds(20));
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      Thread thread = new Thread(() -> message(one));
      thread.start();
      waiting.add(thread);
    }
    await("all wait", () -> silent.sent.get() == 1000);
    assertEquals("1000 commands wait for Redis", message(one));
    silent.response.complete(1L);
    for (Thread thread : waiting) {
      thread.join();
    }
    assertEquals("", message(one));
    one.close();
  }

  @Test
  void aConnectionWithoutRepliesIsReplaced() throws Exception {
    Silent silent = new Silent();
    Redis one = Redis.of(silent, "app", Duration.ofMillis(10));
    await("the breaker is open", () -> message(one).contains("fail immediately"));
    await("the connection is replaced", silent.renewed::get);
    silent.response.complete(1L);
    await("Redis answers", () -> answers(one));
    one.close();
  }

  @Test
  void aClientLibraryThatThrowsIsTriedAgain() throws Exception {
    AtomicBoolean throwing = new AtomicBoolean(true);
    Silent library =
        new Silent() {
          @Override
          public CompletionStage<@Nullable Object> send(
              List<String> before, String key, List<String> after) {
            if (throwing.get()) {
              throw new IllegalStateException("no connection");
            }
            return super.send(before, key, after);
          }
        };
    library.response.complete(1L);
    Redis one = Redis.of(library, "app", Duration.ofSeconds(5));
    await("the breaker is open", () -> message(one).contains("fail immediately"));
    throwing.set(false);
    await("Redis answers", () -> answers(one));
    one.close();
  }

  @Test
  void aClosedClientIsUnavailable() {
    Redis one = Redis.of("redis://localhost");
    one.close();
    IOException failure = assertThrows(IOException.class, one::ping);
    assertEquals(
        "Redis at localhost:6379 is unreachable: IllegalStateException: this Redis is closed",
        failure.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"LOADING", "MASTERDOWN", "CLUSTERDOWN", "BUSY"})
  void commandsFailImmediatelyWhileRedisExecutesNone(String code) throws Exception {
    Silent silent = new Silent();
    silent.response.completeExceptionally(new RedisException(code + " try again later"));
    Redis one = Redis.of(silent, "app", Duration.ofSeconds(5));
    await("the breaker is open", () -> message(one).contains("fail immediately"));
    one.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "http://localhost",
        "redis://",
        "redis://user:a-secret@",
        "redis-cluster://user:a-secret@",
        "redis-cluster://a,,b",
        "redis://a-secret@host:port",
        "redis://a-secret@my_host:65536",
        "redis-sentinel://a-secret@"
      })
  void invalidUrlsAreRejectedAndNotRepeated(String url) {
    IllegalArgumentException rejected =
        assertThrows(IllegalArgumentException.class, () -> Redis.of(url).close());
    for (Throwable one = rejected; one != null; one = one.getCause()) {
      assertFalse(String.valueOf(one).contains("secret"), one.toString());
    }
  }

  @Test
  void urlsNameServersTlsUsersSentinelsAndClusters() {
    RedisAddress plain = RedisAddress.of("redis://bob:pw@host:6380/3");
    assertFalse(plain.cluster());
    assertEquals(3, plain.nodes().get(0).getDatabase());
    assertEquals("host", plain.nodes().get(0).getHost());
    assertTrue(RedisAddress.of("rediss://host").nodes().get(0).isSsl());
    RedisAddress sentinels = RedisAddress.of("redis-sentinel://a,b:26380/0#main");
    assertEquals(2, sentinels.nodes().get(0).getSentinels().size());
    RedisAddress cluster = RedisAddress.of("rediss-cluster://bob:pw@a:7000,b");
    assertTrue(cluster.cluster());
    assertEquals(2, cluster.nodes().size());
    assertEquals(7000, cluster.nodes().get(0).getPort());
    assertTrue(cluster.nodes().get(1).isSsl());
  }

  @ParameterizedTest
  @CsvSource({
    "redis://shop_redis:6380,shop_redis",
    "rediss://bob:pw@shop_redis_1:6380/3,shop_redis_1",
    "redis://bob:p@w@host:6380,host",
    "redis://[::1]:6380,[::1]",
    "redis-cluster://shop_redis:6380,shop_redis"
  })
  void anyHostCanHaveAPort(String url, String host) {
    assertEquals(host + ":6380", RedisAddress.of(url).toString());
  }

  @Test
  void namesAreBounded() {
    for (String wrong : List.of("", "a:b", "a b", "x".repeat(65))) {
      assertThrows(IllegalArgumentException.class, () -> Redis.of("redis://localhost", wrong));
      assertThrows(IllegalArgumentException.class, () -> redis.rateLimits(wrong));
    }
    assertThrows(IllegalArgumentException.class, () -> redis.sessions(Duration.ZERO));
  }

  /** Sends no reply until the test completes it. */
  private static class Silent implements RedisCommands {

    private final CompletableFuture<@Nullable Object> response = new CompletableFuture<>();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicBoolean renewed = new AtomicBoolean();

    @Override
    public CompletionStage<@Nullable Object> send(
        List<String> before, String key, List<String> after) {
      sent.incrementAndGet();
      return response.thenApply(done -> done);
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, Listener listener) {
      return new CompletableFuture<>();
    }

    @Override
    public void reconnect() {
      renewed.set(true);
    }

    @Override
    public void close() {}
  }
}
