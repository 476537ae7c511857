package dev.percolate.demo;

import dev.percolate.core.store.RateLimitStore;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.TopicBus;
import dev.percolate.middleware.MemoryRateLimits;
import dev.percolate.middleware.MemorySessions;
import dev.percolate.middleware.MemoryTopics;
import dev.percolate.redis.Redis;

/** The stores that several servers can share through Redis. Without Redis, they are in memory. */
record Stores(SessionStore sessions, RateLimitStore rates, TopicBus topics, AutoCloseable open) {

  static Stores of(Environment options) {
    if (options.redisUrl() == null) {
      return new Stores(MemorySessions.of(), MemoryRateLimits.of(), MemoryTopics.of(), () -> {});
    }
    Redis redis = Redis.of(options.redisUrl(), "guestbook");
    return new Stores(redis.sessions(), redis.rateLimits("entries"), redis.topics(), redis);
  }
}
