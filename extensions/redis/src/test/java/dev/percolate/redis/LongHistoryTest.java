package dev.percolate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests topics that store more than one reply can contain. */
final class LongHistoryTest {

  /** The longest reply to a command, in characters. */
  private final AtomicInteger longest = new AtomicInteger();

  @Test
  void storedMessagesAreReadInParts() throws Exception {
    try (RedisServer server = RedisServer.start();
        Redis redis = Redis.of(measured(server), "app", Duration.ofSeconds(10))) {
      String json = "\"" + "x".repeat(100_000) + "\"";
      List<Long> sent = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        sent.add(redis.topics().publish("news", json, 100));
      }
      assertEquals(sent, heard(redis, 0));
      assertEquals(sent, heard(redis, Long.MAX_VALUE / 2)); // unknown
      for (int i : new int[] {0, 15, 16, 48, 49}) {
        assertEquals(sent.subList(i + 1, 50), heard(redis, sent.get(i)));
      }
      assertTrue(longest.get() < 2 << 20, () -> "longest: " + longest);
    }
  }

  private Measured measured(RedisServer server) {
    return new Measured(new LettuceCommands(RedisAddress.of(server.url())), longest);
  }

  private static List<Long> heard(Redis redis, long since) throws Exception {
    List<Long> ids = new CopyOnWriteArrayList<>();
    redis.topics().subscribe("news", since, message -> ids.add(message.id())).close();
    return ids;
  }

  /** Measures replies that are lists. */
  private record Measured(RedisCommands commands, AtomicInteger longest)
      implements ForwardingCommands {

    @Override
    public CompletionStage<@Nullable Object> send(
        List<String> before, String key, List<String> after) {
      return commands.send(before, key, after).thenApply(this::measured);
    }

    private @Nullable Object measured(@Nullable Object reply) {
      if (reply instanceof List<?> all) {
        int size = all.stream().mapToInt(one -> String.valueOf(one).length()).sum();
        int ignored = longest.accumulateAndGet(size, Math::max);
      }
      return reply;
    }
  }
}
