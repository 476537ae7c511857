package dev.percolate.reliability;

import com.zaxxer.hikari.HikariDataSource;
import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.core.store.MemberStore;
import dev.percolate.core.store.RateLimitStore;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.TopicBus;
import dev.percolate.jdbc.Jdbc;
import dev.percolate.redis.Redis;
import java.sql.SQLException;
import java.time.Duration;

/** The stores of {@link ScaleServer}, in Redis or in a database. */
record SharedStores(
    SessionStore sessions,
    RateLimitStore limited,
    RateLimitStore rate,
    IdempotencyStore idempotency,
    TopicBus topics,
    MemberStore members,
    AutoCloseable open) {

  private static final String PREFIX = "scale";
  private static final int CONNECTIONS = 16;

  static SharedStores of(String url, Duration timeout) throws SQLException {
    return url.startsWith("jdbc:") ? database(url, timeout) : redis(url, timeout);
  }

  private static SharedStores redis(String url, Duration timeout) {
    Redis redis = Redis.of(url, PREFIX, timeout);
    return new SharedStores(
        redis.sessions(),
        redis.rateLimits("limited"),
        redis.rateLimits("rate"),
        redis.idempotency(),
        redis.topics(),
        redis.members(),
        redis);
  }

  private static SharedStores database(String url, Duration timeout) throws SQLException {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(CONNECTIONS);
    pool.setConnectionTimeout(1000);
    Jdbc jdbc = Jdbc.of(pool, timeout);
    jdbc.createTables();
    return new SharedStores(
        jdbc.sessions(),
        jdbc.rateLimits("limited"),
        jdbc.rateLimits("rate"),
        jdbc.idempotency(),
        jdbc.topics(),
        jdbc.members(),
        () -> {
          jdbc.close();
          pool.close();
        });
  }
}
