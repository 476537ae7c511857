package dev.percolate.middleware.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.TopicBus;
import dev.percolate.middleware.MemoryTopics;
import dev.percolate.middleware.store.StoreFailures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ListenerSubscriptionTest {

  private static final long MOST = 10;

  /** Records the messages. */
  private static final class Client implements TopicListener {

    private final List<String> got = Collections.synchronizedList(new ArrayList<>());
    private int drops;

    @Override
    public boolean offer(TopicEntry entry, long most) {
      got.add(entry.json());
      return !entry.json().equals("too much");
    }

    @Override
    public void drop() {
      drops++;
    }
  }

  private final ListenerSubscription early = new ListenerSubscription("news", 0, null);
  private final Client client = new Client();

  private static TopicEntry entry(long id, String json) {
    return new TopicEntry(new TopicBus.Message(id, json), 0);
  }

  @Test
  void messagesFromBeforeTheClientAreDeliveredFirst() {
    assertTrue(early.take(entry(1, "1"), MOST));
    assertTrue(early.take(entry(2, "2"), MOST));
    assertNull(early.listener());
    assertFalse(early.open(client));
    assertTrue(early.take(entry(3, "3"), MOST));
    assertFalse(early.take(entry(4, "too much"), MOST));
    assertEquals(List.of("1", "2", "3", "too much"), client.got);
  }

  @Test
  void keptMessagesAreLimitedButOneIsAlwaysKept() {
    assertTrue(early.take(entry(1, "x".repeat(100)), MOST));
    assertFalse(early.take(entry(2, "x"), MOST));
    assertNull(early.drop());
    assertTrue(early.open(client), "the client is too slow");
  }

  @Test
  void aConnectedClientIsDroppedAtOnce() {
    assertFalse(early.open(client));
    assertSame(client, early.drop());
  }

  @Test
  void aClientThatWasTooSlowBeforeItConnectedIsDroppedThen() throws Exception {
    MemoryTopics bus = MemoryTopics.of();
    TopicListeners listeners = listeners(bus, MOST);
    ListenerSubscription subscription = listeners.add(-1, null, null);
    bus.publish("news", "x".repeat(100), 0);
    bus.publish("news", "x", 0);
    bus.publish("news", "y", 0);
    listeners.open(subscription, client);
    assertEquals(1, client.drops);
    assertEquals(List.of("x".repeat(100), "x"), client.got);
  }

  @Test
  void theOrderIsKeptWhileTheClientConnects() throws Exception {
    MemoryTopics bus = MemoryTopics.of();
    TopicListeners listeners = listeners(bus, Long.MAX_VALUE);
    ListenerSubscription subscription = listeners.add(-1, null, null);
    List<String> sent = LongStream.rangeClosed(1, 10_000).mapToObj(Long::toString).toList();
    Thread sender = new Thread(() -> sent.forEach(json -> bus.publish("news", json, 0)));
    sender.start();
    listeners.open(subscription, client);
    sender.join();
    assertEquals(sent, client.got);
  }

  private static TopicListeners listeners(TopicBus bus, long most) {
    StoreFailures failures = new StoreFailures("the topic bus", text -> {});
    return new TopicListeners(bus, "news", 0, most, most, (time, task) -> () -> {}, failures);
  }
}
