package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.TopicBus;
import dev.percolate.middleware.topic.EarlyListener;
import dev.percolate.middleware.topic.TopicEntry;
import dev.percolate.middleware.topic.TopicListener;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class EarlyListenerTest {

  private static final long MOST = 10;

  /** Records the messages. */
  private static final class Client implements TopicListener {

    private final List<Long> got = Collections.synchronizedList(new ArrayList<>());
    private int drops;

    @Override
    public boolean offer(TopicEntry entry, long most) {
      got.add(entry.id());
      return entry.id() > 0;
    }

    @Override
    public boolean awaitRoom(long end) {
      return end > 0;
    }

    @Override
    public void drop() {
      drops++;
    }
  }

  private final EarlyListener early = new EarlyListener();
  private final Client client = new Client();

  private static TopicEntry entry(long id, String json) {
    return new TopicEntry(new TopicBus.Message(id, json), 0);
  }

  @Test
  void messagesFromBeforeTheClientAreDeliveredFirst() {
    assertTrue(early.offer(entry(1, "1"), MOST));
    assertTrue(early.offer(entry(2, "2"), MOST));
    assertTrue(early.awaitRoom(0));
    early.open(client);
    assertTrue(early.offer(entry(3, "3"), MOST));
    assertFalse(early.offer(entry(-4, "4"), MOST));
    assertFalse(early.awaitRoom(0));
    assertEquals(List.of(1L, 2L, 3L, -4L), client.got);
    assertEquals(0, client.drops);
  }

  @Test
  void keptMessagesAreLimitedButOneIsAlwaysKept() {
    assertTrue(early.offer(entry(1, "x".repeat(100)), MOST));
    assertFalse(early.offer(entry(2, "x"), MOST));
    early.drop();
    early.open(client);
    assertEquals(1, client.drops);
  }

  @Test
  void aConnectedClientIsDroppedOnce() {
    early.open(client);
    early.drop();
    assertEquals(1, client.drops);
  }

  @Test
  void theOrderIsKeptWhileTheClientConnects() throws Exception {
    Thread sender =
        new Thread(
            () -> {
              for (long id = 1; id <= 100_000; id++) {
                boolean ignored = early.offer(entry(id, "1"), Long.MAX_VALUE);
              }
            });
    sender.start();
    while (!sender.isAlive()) {
      Thread.onSpinWait();
    }
    early.open(client);
    sender.join();
    assertEquals(LongStream.rangeClosed(1, 100_000).boxed().toList(), client.got);
  }
}
