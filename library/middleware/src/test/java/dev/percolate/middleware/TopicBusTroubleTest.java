package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.core.store.StoreUnavailableException;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.engine.ThreadMode;
import dev.percolate.middleware.store.StoreFailures;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestEventStream;
import dev.percolate.testkit.TestWebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests topics while their bus is unreachable, and the number of their calls to it. */
final class TopicBusTroubleTest {

  private static final int MANY = 30;
  private static final long HANGS_MILLIS = 80;

  private final CountingBus bus = new CountingBus(MemoryTopics.of());
  private final ManualTimer timer = new ManualTimer();
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final Topic<String> topic =
      Topic.of(String.class)
          .name("news")
          .bus(bus)
          .with(timer, new StoreFailures("the topic bus", warnings::add));
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void endAll() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  private Client client(Middleware... steps) {
    List<Middleware> all = new ArrayList<>(List.of(steps));
    all.add(Played.SHOWN);
    MemoryEngine engine = new MemoryEngine(ThreadMode.ofThisJdk());
    Client client = engine.client(Chain.service(new Settings(), all.toArray(Middleware[]::new)));
    open.add(client);
    open.add(engine);
    return client;
  }

  @Test
  void aMessageThatCannotBeSentResultsIn503AndOneWarning() {
    bus.hang(0);
    Handler send = (req, res) -> res.send("" + topic.publish("x"));
    for (int i = 0; i < 50; i++) {
      Reply rejected = Played.reply(Call.post("/"), send);
      assertEquals(503, rejected.status());
      assertEquals("the topic bus is not available", rejected.text());
      assertEquals("1", rejected.header("Retry-After"));
    }
    assertEquals(
        List.of(
            "the topic bus failed: java.io.IOException: the bus does not answer;"
                + " cause: java.io.IOException: connection refused"),
        warnings);
    bus.hang(-1);
    assertEquals(200, Played.reply(Call.post("/"), send).status());
  }

  @Test
  void everyJoinFailsWhileTheBusIsUnreachable() throws Exception {
    bus.hang(0);
    assertThrows(StoreUnavailableException.class, () -> topic.subscribe(text -> {}));
    TestWebSocket joining = client(WebSockets.of(topic::join)).webSocket("/");
    assertEquals(1013, joining.closeCode());
    TestWebSocket sending =
        client(WebSockets.callbacks().onOpen(socket -> topic.publish("x"))).webSocket("/");
    assertEquals(1013, sending.closeCode());
    TestEventStream events = client(Events.of((req, stream) -> topic.publish("x"))).events("/");
    assertTrue(events.awaitEnd());
    assertEquals(1, warnings.size());
  }

  @Test
  @DisplayName("WS-27: many joins while the bus hangs fail in the time of one attempt")
  void joinsWhileTheBusHangsFailTogetherInTheTimeOfOneAttempt() throws Exception {
    bus.hang(HANGS_MILLIS);
    Client sockets = client(topic.webSocket());
    Client streams = client(topic.events());
    List<Callable<Integer>> joins = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      joins.add(() -> sockets.webSocket("/").head().status());
      joins.add(() -> streams.open(Call.get("/")).reply().status());
    }
    ExecutorService threads = Executors.newFixedThreadPool(joins.size());
    long begin = System.nanoTime();
    List<Integer> statuses = new ArrayList<>();
    for (Future<Integer> one : threads.invokeAll(joins)) {
      statuses.add(one.get(20, TimeUnit.SECONDS));
    }
    threads.shutdown();
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    assertEquals(MANY, statuses.stream().filter(status -> status == 503).count());
    assertEquals(MANY, statuses.stream().filter(status -> status == 200).count());
    String taken = bus.subscribed + " attempts in " + millis + " ms";
    assertTrue(bus.subscribed.get() <= 2 + millis / HANGS_MILLIS, taken); // one at a time
    assertTrue(millis < MANY * HANGS_MILLIS, taken); // each serves several joins
    assertEquals(1, warnings.size());
    bus.hang(-1);
    assertEquals(101, sockets.webSocket("/").head().status());
  }

  @Test
  void theSubscriptionClosesSomeTimeAfterTheLastListenerHasLeft() throws Exception {
    AutoCloseable first = topic.subscribe(text -> {});
    AutoCloseable second = topic.subscribe(text -> {});
    first.close();
    first.close();
    assertEquals(0, timer.run());
    second.close();
    assertEquals(1, bus.open.get());
    List<String> heard = new CopyOnWriteArrayList<>();
    AutoCloseable third = topic.subscribe(heard::add);
    assertEquals(0, timer.run());
    topic.publish("a");
    assertEquals(List.of("a"), heard);
    third.close();
    assertEquals(1, timer.run());
    assertEquals(0, bus.open.get());
    assertFalse(topic.isSubscribed());
    assertEquals(1, bus.subscribed.get());
    open.add(topic.subscribe(heard::add));
    topic.publish("b");
    assertEquals(List.of("a", "b"), heard);
  }

  @Test
  void messagesMissedWithoutListenersAreStoredForClientsThatReconnect() throws Exception {
    Topic<String> keeping = topic.history(10);
    List<String> heard = new CopyOnWriteArrayList<>();
    AutoCloseable first = keeping.subscribe(heard::add);
    long seen = keeping.publish("a");
    first.close();
    timer.run();
    keeping.publish("b");
    TestEventStream back = client(keeping.events()).events("/?lastEventId=" + seen);
    assertEquals("\"b\"", back.data());
    keeping.publish("c");
    assertEquals("\"c\"", back.data());
    back.disconnect();
  }

  @Test
  @DisplayName("WS-25: empty rooms named by clients use no resources")
  void emptyRoomsNamedByClientsUseNoResources() throws Exception {
    for (int i = 0; i < 2000; i++) {
      Topic<String> room = topic.child("room " + i);
      List<String> heard = new CopyOnWriteArrayList<>();
      AutoCloseable here = room.subscribe(heard::add);
      AutoCloseable there = topic.child("room " + i).subscribe(heard::add);
      topic.child("room " + i).publish("x");
      assertEquals(List.of("x", "x"), heard);
      here.close();
      there.close();
    }
    assertEquals(2000, bus.subscribed.get());
    assertEquals(2000, timer.run());
    assertEquals(0, bus.open.get());
    await(
        () -> {
          System.gc();
          return topic.children() == 0;
        });
  }

  @Test
  void theMemoryBusStoresABoundedNumberOfEmptyRooms() throws Exception {
    MemoryTopics memory = MemoryTopics.of();
    for (int i = 0; i < MemoryTopics.MOST_UNUSED + 500; i++) {
      memory.publish("room " + i, "1", 10);
    }
    assertEquals(MemoryTopics.MOST_UNUSED, memory.size());
    List<String> heard = new ArrayList<>();
    memory.subscribe("room 0", 0, message -> heard.add("0")).close();
    memory.subscribe("room 600", 0, message -> heard.add("600")).close();
    assertEquals(List.of("600"), heard);
    assertEquals(MemoryTopics.MOST_UNUSED, memory.size());
  }

  @Test
  @DisplayName("WS-26: unknown ids do not cause one query to the bus each")
  void unknownIdsShareOneQueryToTheBus() throws Exception {
    Topic<String> keeping = topic.history(10);
    TestEventStream stays = client(keeping.events()).events("/");
    assertEquals(200, stays.head().status());
    keeping.publish("first");
    assertEquals("\"first\"", stays.data());
    assertEquals(1, bus.subscribed.get());
    Client client = client(keeping.events());
    List<TestEventStream> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      for (String id :
          List.of("999999999999999999", "888888888888888888", "-1", "9".repeat(5000))) {
        TestEventStream talk = client.events(Call.get("/").header("Last-Event-ID", id));
        assertEquals(200, talk.head().status());
        all.add(talk);
      }
    }
    assertEquals(1, bus.subscribed.get());
    keeping.publish("second");
    timer.run();
    assertEquals(2, bus.subscribed.get());
    for (int i = 0; i < all.size(); i++) {
      if (i % 4 < 2) {
        assertEquals("\"first\"", all.get(i).data());
      }
      assertEquals("\"second\"", all.get(i).data());
      all.get(i).disconnect();
    }
    stays.disconnect();
  }

  @Test
  void aHungBusDoesNotDelayTimers() throws Exception {
    Topic<String> all = Topic.of(String.class).history(10).bus(bus);
    List<Topic<String>> some = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Topic<String> one = all.child("topic " + i);
      one.publish("x");
      open.add(one.subscribe(text -> {})); // the process listens already
      some.add(one);
    }
    bus.hang(2000);
    for (Topic<String> one : some) {
      client(one.events()).open(Call.get("/").header("Last-Event-ID", "999999999999999999"));
    }
    await(() -> bus.subscribed.get() > 8);
    CountDownLatch ran = new CountDownLatch(1);
    Runnable ignored = DaemonTimer.after(Duration.ofMillis(1), ran::countDown);
    assertTrue(ran.await(1, TimeUnit.SECONDS));
  }

  @Test
  void aTopicThatKeepsNoMessagesDoesNotQueryTheBus() throws Exception {
    TestEventStream talk = client(topic.events()).events("/?lastEventId=999999999999999999");
    assertEquals(200, talk.head().status());
    assertEquals(0, timer.run());
    assertEquals(1, bus.subscribed.get());
    topic.publish("x");
    assertEquals("\"x\"", talk.data());
    talk.disconnect();
  }

  @Test
  void aFailedQueryIsRepeated() throws Exception {
    Topic<String> keeping = topic.history(10);
    keeping.publish("first");
    TestEventStream talk = client(keeping.events()).events("/?lastEventId=999999999999999999");
    assertEquals(200, talk.head().status());
    bus.hang(0);
    assertEquals(1, timer.run());
    assertEquals(1, timer.run());
    bus.hang(-1);
    assertEquals(1, timer.run());
    assertEquals("\"first\"", talk.data());
    assertEquals(1, warnings.size());
    talk.disconnect();
  }

  private static void await(BooleanSupplier there) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!there.getAsBoolean() && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    assertTrue(there.getAsBoolean());
  }
}
