package dev.percolate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests a subscriber that is slower than the messages of its topic. */
final class SlowSubscriberTest {

  private final CountDownLatch slow = new CountDownLatch(1);
  private final Channel channel = new Channel();
  private final Redis redis = Redis.of(channel, "app", Duration.ofSeconds(20));

  @Test
  void aLimitedSizeOfMessagesWaitsBeforeTheyAreReadAgain() throws Exception {
    AutoCloseable ignored = redis.topics().subscribe("news", 0, message -> awaitQuietly());
    String text = "x".repeat(4 << 20);
    for (int id = 1; id <= 5; id++) {
      channel.send(id, text);
    }
    assertEquals(1, channel.readAgain.getCount());
    for (int id = 6; id <= 12; id++) {
      channel.send(id, text);
    }
    assertTrue(channel.readAgain.await(20, TimeUnit.SECONDS));
    slow.countDown();
    redis.close();
  }

  private void awaitQuietly() {
    try {
      assertTrue(slow.await(20, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Has one subscriber, and a topic that stores no messages. */
  private static final class Channel implements RedisCommands {

    private final CountDownLatch read = new CountDownLatch(1);
    private final CountDownLatch readAgain = new CountDownLatch(1);
    private final AtomicReference<@Nullable Listener> listener = new AtomicReference<>();

    void send(int id, String text) {
      Objects.requireNonNull(listener.get()).onMessage((id - 1) + " " + id + " " + text);
    }

    @Override
    public CompletionStage<@Nullable Object> send(
        List<String> before, String key, List<String> after) {
      if (key.endsWith(":clock")) {
        return CompletableFuture.completedFuture(1_795_600_000_000L);
      }
      (read.getCount() > 0 ? read : readAgain).countDown();
      return CompletableFuture.completedFuture(List.of("0"));
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, Listener heard) {
      listener.set(heard);
      return CompletableFuture.completedFuture(() -> {});
    }

    @Override
    public void reconnect() {}

    @Override
    public void close() {}
  }
}
