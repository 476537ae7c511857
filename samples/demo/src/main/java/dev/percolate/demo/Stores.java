package dev.percolate.demo;

import com.zaxxer.hikari.HikariDataSource;
import dev.percolate.core.store.RateLimitStore;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.TopicBus;
import dev.percolate.jdbc.Jdbc;
import dev.percolate.middleware.MemoryRateLimits;
import dev.percolate.middleware.MemorySessions;
import dev.percolate.middleware.MemoryTopics;
import dev.percolate.redis.Redis;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The stores in memory, in a database or in Redis. Several servers can share the last two. */
record Stores(SessionStore sessions, RateLimitStore rates, TopicBus topics, AutoCloseable open) {

  /**
   * Opens the stores.
   *
   * @param url the URL of a database or of Redis; null for memory
   */
  static Stores of(@Nullable String url) throws SQLException {
    if (url == null) {
      return new Stores(MemorySessions.of(), MemoryRateLimits.of(), MemoryTopics.of(), () -> {});
    }
    if (url.startsWith("jdbc:")) {
      HikariDataSource pool = Database.pool(url);
      Jdbc jdbc = Jdbc.of(pool);
      jdbc.createTables();
      AutoCloseable open =
          () -> {
            jdbc.close();
            pool.close();
          };
      return new Stores(jdbc.sessions(), jdbc.rateLimits("entries"), jdbc.topics(), open);
    }
    Redis redis = Redis.of(url, "guestbook");
    return new Stores(redis.sessions(), redis.rateLimits("entries"), redis.topics(), redis);
  }
}
