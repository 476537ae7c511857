package dev.percolate.redis;

import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.core.store.RateStore;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.TopicBus;
import java.io.IOException;
import java.time.Duration;

/**
 * Keeps in Redis what several servers share: sessions, limits, answers, topics.
 *
 * <pre>{@code
 * Redis redis = Redis.of(System.getenv("REDIS_URL"));
 * app.use(Sessions.of(secret).store(redis.sessions()));
 * app.use(RateLimit.of(100, Duration.ofMinutes(1)).store(redis.rates("all")));
 * app.onClose(redis);
 * }</pre>
 *
 * <p>It connects with the first command, by one connection that all share, and again whenever that
 * is lost. A command fails after 250 ms without a reply, though Redis may still execute it. Until
 * the first reply it has 3 s more. After five failures in a row all commands fail at once, while
 * Redis is tried in the background every 200 ms. No more than 1000 commands wait at a time. What
 * fails is an {@link IOException}, which the steps turn into what they have been told to do; a
 * warning of the logger {@code dev.percolate.redis} names the cause, and another line is logged
 * when Redis responds again.
 *
 * <p>Topics have a separate connection, which is pinged every two seconds. If it does not respond
 * for two seconds, it is replaced, and listeners get the stored messages that they missed. Both
 * connections are replaced if the server is a replica, or if a sentinel names another master.
 *
 * <p>Keys are the name, a letter for the kind, and a SHA-256 in base64url of what comes from
 * outside, such as {@code app:s:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU}: so who sees keys can
 * take over no session, and each operation has one key, as clusters need it. Redis has to be 6.2 or
 * later.
 */
public final class Redis implements AutoCloseable {

  private static final String USUAL_NAME = "app";
  private static final Duration TIMEOUT = Duration.ofMillis(250);
  private static final int LONGEST_NAME = 64;

  private final RedisLink link;

  private Redis(RedisLink link) {
    this.link = link;
  }

  /**
   * Uses the server of a URL, or several.
   *
   * <pre>
   *   redis://host:6379/0                              one server; user:password@ in front
   *   rediss://user:password@host                      the same over TLS
   *   redis-sentinel://host1,host2:26379/0#mymaster    that which sentinels name
   *   redis-cluster://user:password@host1,host2        a cluster; rediss-cluster over TLS
   * </pre>
   *
   * @param url the URL
   * @return not connected yet
   * @throws IllegalArgumentException if it is none of these; the message does not repeat it
   */
  public static Redis of(String url) {
    return of(url, USUAL_NAME);
  }

  /**
   * Uses the server of a URL, under a name of its own, so that several applications can share it.
   *
   * @param url the URL, as above
   * @param name what all keys begin with: letters, digits, {@code . _ -}, 64 characters at most
   * @return not connected yet
   * @throws IllegalArgumentException if one of them is wrong
   */
  public static Redis of(String url, String name) {
    return of(url, name, TIMEOUT);
  }

  /**
   * Uses the server of a URL, under a name of its own, with another time-out.
   *
   * @param url the URL, as above
   * @param name what all keys begin with: letters, digits, {@code . _ -}, 64 characters at most
   * @param timeout how long a command waits, where 250 ms are not right
   * @return not connected yet
   * @throws IllegalArgumentException if one of them is wrong
   */
  public static Redis of(String url, String name, Duration timeout) {
    return over(new LettuceCommands(RedisAddress.of(url)), name, timeout);
  }

  /**
   * Uses another client.
   *
   * @param commands the client, which is closed with this
   * @param name what all keys begin with: letters, digits, {@code . _ -}, 64 characters at most
   * @param timeout how long a command waits
   * @throws IllegalArgumentException if one of them is wrong
   */
  public static Redis over(RedisCommands commands, String name, Duration timeout) {
    if (!name.matches("[\\w.-]+") || name.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "Redis.of(…, \"" + name + "\"): not 1 to 64 letters, digits, dots, _ and -");
    }
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("Redis.over(…, " + timeout + "): not longer than nothing");
    }
    return new Redis(new RedisLink(commands, name, timeout));
  }

  /** Returns sessions, those without an end of their own for a day without use. */
  public SessionStore sessions() {
    return sessions(SessionStore.USUAL_IDLE);
  }

  /**
   * Returns sessions.
   *
   * @param idle how long those without an end of their own are kept without use
   * @throws IllegalArgumentException if it is less than a millisecond
   */
  public SessionStore sessions(Duration idle) {
    if (idle.toMillis() < 1) {
      throw new IllegalArgumentException("sessions(" + idle + "): less than a millisecond");
    }
    return new RedisSessions(link, idle);
  }

  /**
   * Returns what counts the requests of one limit.
   *
   * @param limit names the limit: those of the same name share their counts; as the name of all
   * @throws IllegalArgumentException if it is no name
   */
  public RateStore rates(String limit) {
    if (!limit.matches("[\\w.-]+") || limit.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "rates(\"" + limit + "\"): not 1 to 64 letters, digits, dots, _ and -");
    }
    return new RedisRates(link, limit);
  }

  /** Returns what keeps answers by their idempotency keys. */
  public IdempotencyStore answers() {
    return new RedisAnswers(link);
  }

  /** Returns what carries messages between all servers. */
  public TopicBus topics() {
    return new RedisTopics(link);
  }

  /**
   * Checks that Redis responds, for a health check.
   *
   * @throws IOException if it does not respond within the command timeout, or if no messages of
   *     topics arrive, see {@link #deafMillis}
   */
  public void ping() throws IOException {
    link.ping();
  }

  /**
   * Returns for how long no messages of topics can arrive, because their connection is lost or does
   * not respond. For a gauge: {@code Metrics.of(registry).gauge("percolate.redis.deaf",
   * redis::deafMillis)}.
   *
   * @return milliseconds; 0 while the connection works, or if no topic has listeners
   */
  public long deafMillis() {
    return link.deafMillis();
  }

  @Override
  public void close() {
    link.close();
  }

  RedisLink link() {
    return link;
  }
}
