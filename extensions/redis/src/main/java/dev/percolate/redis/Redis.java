package dev.percolate.redis;

import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.core.store.MemberStore;
import dev.percolate.core.store.RateLimitStore;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.TopicBus;
import dev.percolate.http.Quantity;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Shares sessions, rate limits, idempotent responses, topics and members of rooms between servers
 * through Redis.
 *
 * <pre>{@code
 * Redis redis = Redis.of(System.getenv("REDIS_URL"));
 * app.use(Sessions.of(secret).store(redis.sessions()));
 * app.use(RateLimit.of(100, Duration.ofMinutes(1)).store(redis.rateLimits("all")));
 * app.onClose(redis);
 * }</pre>
 *
 * <p>The connection opens with the first command, and is shared by all commands. It is reopened
 * whenever it is lost. A command fails after 250 ms without a reply, though Redis may still execute
 * it. Until the first reply, the timeout is 3 s longer. After five failures in a row, all commands
 * fail at once, and Redis is checked in the background every 200 ms. At most 1,000 commands wait at
 * a time.
 *
 * <p>A failed command throws an {@link IOException}; middleware handles it as configured. The
 * logger {@code dev.percolate.redis} logs a warning with the cause, and another entry when Redis
 * responds again.
 *
 * <p>Topics use a separate connection, which is pinged every two seconds. If it does not respond
 * for two seconds, it is replaced, and listeners get the stored messages that they missed. Both
 * connections are replaced if the server is a replica, or if a sentinel reports a new master.
 *
 * <p>A key consists of the name, a letter for the kind, and the SHA-256 hash of the identifier in
 * base64url, such as {@code app:s:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU}. So the keys reveal
 * no session ids, and each operation uses a single key, as clusters require; only the members of
 * rooms have several keys, with one hash tag, and contain the names of users. All times are those
 * of the clock of Redis, which is read every ten seconds, so the clocks of servers may differ.
 * Requires Redis 6.2 or later.
 */
public final class Redis implements AutoCloseable {

  private static final String USUAL_NAME = "app";
  private static final Duration TIMEOUT = Duration.ofMillis(250);
  private static final int LONGEST_NAME = 64;

  private final RedisConnection connection;
  private final RedisClock clock;

  /**
   * Creates a client.
   *
   * @param local the clock of this server
   */
  Redis(RedisConnection connection, InstantSource local) {
    this.connection = connection;
    this.clock = new RedisClock(connection, local);
  }

  /**
   * Creates a client for a URL, without connecting yet.
   *
   * <pre>
   *   redis://host:6379/0                              one server
   *   rediss://user:password@host                      one server, over TLS
   *   redis-sentinel://host1,host2:26379/0#mymaster    the master reported by sentinels
   *   redis-cluster://user:password@host1,host2        a cluster; rediss-cluster over TLS
   * </pre>
   *
   * @param url the URL; user and password are optional
   * @return a client with the name {@code app}
   * @throws IllegalArgumentException if the URL is invalid; the message does not contain it
   */
  public static Redis of(String url) {
    return of(url, USUAL_NAME);
  }

  /**
   * Creates a client with its own name, so that several applications can share a Redis server.
   *
   * @param url the URL, as in {@link #of(String)}
   * @param name the prefix of all keys: at most 64 letters, digits, {@code . _ -}
   * @return a client that is not connected yet
   * @throws IllegalArgumentException if an argument is invalid
   */
  public static Redis of(String url, String name) {
    return of(url, name, TIMEOUT);
  }

  /**
   * Creates a client with its own name and command timeout.
   *
   * @param url the URL, as in {@link #of(String)}
   * @param name the prefix of all keys: at most 64 letters, digits, {@code . _ -}
   * @param timeout the maximum time to wait for a reply. Default: 250 ms
   * @return a client that is not connected yet
   * @throws IllegalArgumentException if an argument is invalid
   */
  public static Redis of(String url, String name, Duration timeout) {
    return of(new LettuceCommands(RedisAddress.of(url)), name, timeout);
  }

  /**
   * Creates a client that uses a library other than Lettuce.
   *
   * @param commands the client; {@link #close} closes it
   * @param name the prefix of all keys: at most 64 letters, digits, {@code . _ -}
   * @param timeout the maximum time to wait for a reply
   * @throws IllegalArgumentException if an argument is invalid
   */
  public static Redis of(RedisCommands commands, String name, Duration timeout) {
    if (!name.matches("[\\w.-]+") || name.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "name must be 1 to 64 letters, digits, dots, _ or -, was \"" + name + "\"");
    }
    Duration positive = Quantity.positive("timeout", timeout);
    return new Redis(new RedisConnection(commands, name, positive), InstantSource.system());
  }

  /**
   * Returns a session store. Sessions without an expiry time are removed after one day without use.
   */
  public SessionStore sessions() {
    return sessions(SessionStore.DEFAULT_IDLE_TIMEOUT);
  }

  /**
   * Returns a session store.
   *
   * @param idle the time after which unused sessions without an expiry time are removed
   * @throws IllegalArgumentException if {@code idle} is less than a millisecond
   */
  public SessionStore sessions(Duration idle) {
    Duration checked = Quantity.atLeast("idle", Duration.ofMillis(1), idle);
    return new RedisSessions(connection, clock, checked);
  }

  /**
   * Returns a store for the counters of one rate limit.
   *
   * @param limit the name of the limit: at most 64 letters, digits, {@code . _ -}; limits with the
   *     same name share their counters
   * @throws IllegalArgumentException if the name is invalid
   */
  public RateLimitStore rateLimits(String limit) {
    if (!limit.matches("[\\w.-]+") || limit.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "limit must be 1 to 64 letters, digits, dots, _ or -, was \"" + limit + "\"");
    }
    return new RedisRateLimits(connection, limit);
  }

  /** Returns a store for responses to requests with an idempotency key. */
  public IdempotencyStore idempotency() {
    return new RedisIdempotency(connection);
  }

  /** Returns a bus that delivers the messages of topics to all servers. */
  public TopicBus topics() {
    return new RedisTopics(connection, clock);
  }

  /** Returns a store for the members of rooms. A cluster keeps all of them on one node. */
  public MemberStore members() {
    return new RedisMembers(connection);
  }

  /**
   * Checks that Redis responds, for a health check.
   *
   * @throws IOException if Redis does not respond within the command timeout, or if topic messages
   *     cannot arrive, see {@link #disconnectedMillis}
   */
  public void ping() throws IOException {
    connection.ping();
  }

  /**
   * Returns the time since topic messages stopped arriving because their connection was lost or
   * does not respond. For a gauge: {@code
   * Metrics.of(registry).gauge("percolate.redis.disconnected", redis::disconnectedMillis)}.
   *
   * @return milliseconds; 0 while the connection works, or if no topic has listeners
   */
  public long disconnectedMillis() {
    return connection.disconnectedMillis();
  }

  @Override
  public void close() {
    connection.close();
  }

  RedisConnection connection() {
    return connection;
  }
}
