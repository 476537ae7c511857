package dev.percolate.demo;

import dev.percolate.core.store.RateStore;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.TopicBus;
import dev.percolate.middleware.MemoryRates;
import dev.percolate.middleware.MemorySessions;
import dev.percolate.middleware.MemoryTopics;
import dev.percolate.redis.Redis;

/** The stores that several servers can share through Redis. Without Redis, they are in memory. */
record Stores(SessionStore sessions, RateStore rates, TopicBus topics, AutoCloseable open) {

  static Stores of(Environment options) {
    if (options.redisUrl() == null) {
      return new Stores(MemorySessions.of(), MemoryRates.of(), MemoryTopics.of(), () -> {});
    }
    Redis redis = Redis.of(options.redisUrl(), "guestbook");
    return new Stores(redis.sessions(), redis.rates("entries"), redis.topics(), redis);
  }
}
