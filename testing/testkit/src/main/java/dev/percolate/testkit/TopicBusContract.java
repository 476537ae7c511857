package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.TopicBus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the contract of a {@link TopicBus}. Extend this class in the tests of a bus:
 *
 * <pre>
 *   final class MemoryTopicsTest extends TopicBusContract {
 *     private final TopicBus bus = MemoryTopics.of();
 *
 *     &#64;Override protected TopicBus bus() { return bus; }
 *
 *     &#64;Override protected TopicBus other() { return bus; }
 *   }
 * </pre>
 *
 * <p>Each test uses a new topic, so that tests can share a server.
 */
public abstract class TopicBusContract {

  private static final long DEADLINE_SECONDS = 10;

  private final String topic = "topic-" + System.nanoTime();
  private final List<AutoCloseable> open = new ArrayList<>();

  /** Creates the tests of one bus. */
  protected TopicBusContract() {}

  /**
   * Returns the bus.
   *
   * @return the same object for all calls of one test
   */
  protected abstract TopicBus bus();

  /**
   * Returns the bus as another process uses it.
   *
   * @return another connection to the same server; the bus itself if it serves one process
   */
  protected abstract TopicBus other();

  /** Collects messages in order. */
  private static final class Heard implements Consumer<TopicBus.Message> {

    private final List<TopicBus.Message> messages = new CopyOnWriteArrayList<>();

    @Override
    public void accept(TopicBus.Message message) {
      messages.add(message);
    }

    List<String> texts() {
      return messages.stream().map(TopicBus.Message::json).toList();
    }

    List<Long> ids() {
      return messages.stream().map(TopicBus.Message::id).toList();
    }

    void await(int count) {
      TopicBusContract.await(count + " messages, received " + texts(), () -> size() >= count);
    }

    int size() {
      return messages.size();
    }
  }

  @AfterEach
  void endAll() throws Exception {
    for (AutoCloseable subscription : open) {
      subscription.close();
    }
  }

  @Test
  void messagesArriveInOrderWithTheirIds() throws Exception {
    Heard heard = listen(bus(), topic, 0);
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ids.add(bus().publish(topic, "\"" + i + "\"", 10));
    }
    heard.await(100);
    assertEquals("\"0\"", heard.texts().get(0));
    assertEquals("\"99\"", heard.texts().get(99));
    assertEquals(ids, heard.ids());
    assertTrue(ids.get(0) > 0, ids::toString);
    assertEquals(ids.stream().sorted().distinct().toList(), ids);
  }

  @Test
  void otherProcessesReceiveTheSameMessagesInOrder() throws Exception {
    Heard here = listen(bus(), topic, 0);
    Heard there = listen(other(), topic, 0);
    for (int i = 0; i < 20; i++) {
      (i % 2 == 0 ? bus() : other()).publish(topic, Integer.toString(i), 5);
    }
    here.await(20);
    there.await(20);
    assertEquals(here.messages, there.messages);
  }

  @Test
  void aThrowingSubscriberMissesNoMessageAndNeitherDoOthers() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    open.add(
        bus()
            .subscribe(
                topic,
                -1,
                message -> {
                  seen.add(message.json());
                  fail(seen.size());
                }));
    Heard after = listen(bus(), topic, -1);
    for (int i = 0; i < 4; i++) {
      bus().publish(topic, Integer.toString(i), 4);
    }
    after.await(4);
    await("4 messages, received " + seen, () -> seen.size() >= 4);
    assertEquals(List.of("0", "1", "2", "3"), seen);
    Heard later = listen(bus(), topic, 0);
    later.await(4);
    assertEquals(after.texts(), later.texts());
  }

  private static void fail(int call) {
    if (call == 1) {
      throw new IllegalStateException("thrown by a test");
    } else if (call == 2) {
      throw new AssertionError("thrown by a test");
    }
  }

  @Test
  void lateSubscribersGetKeptAndThenNewMessages() throws Exception {
    for (int i = 0; i < 10; i++) {
      bus().publish(topic, Integer.toString(i), 3);
    }
    Heard heard = listen(other(), topic, 0);
    bus().publish(topic, "10", 3);
    await("the last one", () -> heard.texts().contains("10"));
    List<String> texts = heard.texts();
    assertEquals(List.of("7", "8", "9", "10"), texts.subList(texts.size() - 4, texts.size()));
    assertEquals(heard.ids().stream().sorted().distinct().toList(), heard.ids());
  }

  @Test
  void returningSubscribersGetTheMessagesTheyMissed() throws Exception {
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      ids.add(bus().publish(topic, Integer.toString(i), 10));
    }
    Heard heard = listen(bus(), topic, ids.get(6));
    assertEquals(List.of("7", "8", "9"), heard.texts());
    assertEquals(ids.subList(7, 10), heard.ids());
    Heard last = listen(bus(), topic, ids.get(9));
    bus().publish(topic, "10", 10);
    last.await(1);
    assertEquals(List.of("10"), last.texts());
  }

  @Test
  void anIdFromBeforeARestartGetsAllKeptMessages() throws Exception {
    long id = bus().publish(topic, "0", 10);
    bus().publish(topic, "1", 10);
    Heard heard = listen(bus(), topic, id + (1L << 52));
    heard.await(2);
    assertEquals(List.of("0", "1"), heard.texts());
  }

  @Test
  void messagesThatAreNotKeptReachCurrentSubscribersOnly() throws Exception {
    Heard early = listen(bus(), topic, 0);
    bus().publish(topic, "0", 0);
    early.await(1);
    Heard late = listen(bus(), topic, 0);
    bus().publish(topic, "1", 0);
    late.await(1);
    early.await(2);
    assertEquals("1", late.texts().get(late.size() - 1));
    assertEquals(List.of("0", "1"), early.texts());
  }

  @Test
  void topicsAreSeparate() throws Exception {
    Heard one = listen(bus(), topic, 0);
    Heard two = listen(bus(), topic + " other:*?", 0);
    bus().publish(topic, "1", 1);
    bus().publish(topic + " other:*?", "2", 1);
    one.await(1);
    two.await(1);
    assertEquals(List.of("1"), one.texts());
    assertEquals(List.of("2"), two.texts());
  }

  @Test
  void aClosedSubscriptionReceivesNothing() throws Exception {
    Heard gone = new Heard();
    AutoCloseable subscription = bus().subscribe(topic, 0, gone);
    Heard stays = listen(bus(), topic, 0);
    bus().publish(topic, "0", 1);
    gone.await(1);
    subscription.close();
    subscription.close();
    bus().publish(topic, "1", 1);
    stays.await(2);
    assertEquals(List.of("0"), gone.texts());
  }

  @Test
  void everyTextArrivesUnchanged() throws Exception {
    Heard heard = listen(other(), topic, 0);
    List<String> texts =
        List.of("{\"a\": [1, null]}", "\"\\r\\n\\u0000\"", "\"ü € 😀\"", "x".repeat(100_000));
    for (String text : texts) {
      bus().publish(topic, text, 2);
    }
    heard.await(texts.size());
    assertEquals(texts, heard.texts());
  }

  @Test
  void aConsumerMayPublish() throws Exception {
    Heard heard = listen(bus(), topic, 0);
    open.add(
        bus()
            .subscribe(
                topic,
                0,
                message -> {
                  if (message.json().equals("\"ping\"")) {
                    publish("\"pong\"");
                  }
                }));
    bus().publish(topic, "\"ping\"", 1);
    heard.await(2);
    assertEquals(List.of("\"ping\"", "\"pong\""), heard.texts());
  }

  @Test
  void noMessageIsLostOrDuplicatedWithManySenders() throws Exception {
    int senders = 4;
    int each = 50;
    Heard early = listen(bus(), topic, 0);
    List<Future<?>> sending = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(senders);
    for (int sender = 0; sender < senders; sender++) {
      TopicBus from = sender % 2 == 0 ? bus() : other();
      int name = sender;
      sending.add(
          threads.submit(
              () -> {
                for (int i = 0; i < each; i++) {
                  from.publish(topic, "\"" + name + "-" + i + "\"", senders * each);
                }
                return null;
              }));
    }
    early.await(senders);
    Heard late = listen(other(), topic, early.ids().get(0));
    for (Future<?> one : sending) {
      one.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
    threads.shutdown();
    early.await(senders * each);
    late.await(senders * each - 1);
    assertEquals(senders * each, early.size());
    assertEquals(early.ids().stream().sorted().distinct().toList(), early.ids());
    assertEquals(early.messages.subList(1, early.size()), late.messages);
  }

  private Heard listen(TopicBus on, String name, long since) throws Exception {
    Heard heard = new Heard();
    open.add(on.subscribe(name, since, heard));
    return heard;
  }

  private void publish(String json) {
    try {
      bus().publish(topic, json, 1);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void await(String what, BooleanSupplier there) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!there.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + DEADLINE_SECONDS + " s: " + what);
      }
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting for " + what, e);
      }
    }
  }
}
