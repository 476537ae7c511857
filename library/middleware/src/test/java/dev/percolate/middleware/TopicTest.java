package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.core.store.TopicBus;
import dev.percolate.engine.ThreadMode;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestEventStream;
import dev.percolate.testkit.TestWebSocket;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TopicTest {

  private final Lint lint = new Lint();
  private final List<AutoCloseable> open = new ArrayList<>();

  /** Public, because another module writes it as JSON. */
  public record News(String text) {}

  @AfterEach
  void endAll() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
    lint.check();
  }

  private Client client(ThreadMode mode, Middleware step) {
    MemoryEngine engine = new MemoryEngine(mode);
    Client client =
        engine.client(lint.service(Chain.service(new Settings(), lint.around(step), Played.SHOWN)));
    open.add(client);
    open.add(engine);
    return client;
  }

  private Client client(Middleware step) {
    return client(ThreadMode.ofThisJdk(), step);
  }

  /** Opens a stream, and waits until it listens. */
  private static TestEventStream listening(Client client, String target) {
    TestEventStream stream = client.events(target);
    stream.head();
    return stream;
  }

  @ParameterizedTest
  @MethodSource("dev.percolate.middleware.Modes#all")
  void allListenersGetAMessageWithItsId(ThreadMode mode) throws Exception {
    Topic<News> topic = Topic.of(News.class).history(10);
    long first = topic.publish(new News("before"));
    TestEventStream events = client(mode, topic.events()).events("/?lastEventId=0");
    TestWebSocket socket = client(mode, topic.webSocket()).webSocket("/?lastEventId=0");
    assertEquals(
        new TestEventStream.Event("" + first, "message", "{\"text\":\"before\"}"), events.next());
    assertEquals("{\"text\":\"before\"}", socket.text());
    long second = topic.publish(new News("a\nb"));
    assertEquals(
        new TestEventStream.Event("" + second, "message", "{\"text\":\"a\\nb\"}"), events.next());
    assertEquals("{\"text\":\"a\\nb\"}", socket.text());
    assertTrue(second > first);
    events.disconnect();
    socket.disconnect();
  }

  @Test
  @DisplayName("WS-14: a listener that leaves does not wait for others")
  void aListenerThatLeavesDoesNotWaitForOthers() throws Exception {
    Topic<String> topic = Topic.of(String.class);
    AutoCloseable leaving = topic.subscribe(text -> {});
    CompletableFuture<String> left = new CompletableFuture<>();
    AutoCloseable staying =
        topic.subscribe(
            text -> {
              new Thread(() -> leave(leaving, left)).start();
              left.completeOnTimeout("has waited", 5, TimeUnit.SECONDS).join();
            });
    topic.publish("x");
    assertEquals("left", left.join());
    staying.close();
    topic.close();
  }

  private static void leave(AutoCloseable listening, CompletableFuture<String> left) {
    try {
      listening.close();
      left.complete("left");
    } catch (Exception e) {
      left.completeExceptionally(e);
    }
  }

  @Test
  void aListenerThatHasLeftGetsNoMessages() throws Exception {
    Topic<String> topic = Topic.of(String.class);
    List<String> heard = new CopyOnWriteArrayList<>();
    List<AutoCloseable> second = new CopyOnWriteArrayList<>();
    AutoCloseable first =
        topic.subscribe(
            text -> {
              for (AutoCloseable one : second) {
                leave(one, new CompletableFuture<>());
              }
            });
    second.add(topic.subscribe(heard::add));
    topic.publish("x");
    topic.publish("y");
    assertEquals(List.of(), heard);
    first.close();
    topic.close();
  }

  @ParameterizedTest
  @MethodSource("dev.percolate.middleware.Modes#all")
  void aClientWithoutIdGetsAllMessagesSinceItHasConnected(ThreadMode mode) throws Exception {
    for (int i = 0; i < 200; i++) {
      Topic<String> topic = Topic.of(String.class).history(10);
      topic.publish("before");
      TestEventStream events = listening(client(mode, topic.events()), "/");
      topic.publish("a");
      TestWebSocket socket = client(mode, topic.webSocket()).webSocket("/");
      socket.head();
      topic.publish("b");
      assertEquals("\"a\"", events.data());
      assertEquals("\"b\"", events.data());
      assertEquals("\"b\"", socket.text());
      events.disconnect();
      socket.disconnect();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-10, 10})
  void aSocketThatJoinsLateMissesNothingIfTheClockOfTheBusDiffers(int minutes) throws Exception {
    AtomicReference<Instant> clock =
        new AtomicReference<>(Instant.now().plus(Duration.ofMinutes(minutes)));
    TopicBus bus = new MemoryTopics(clock::get);
    Topic<String> there = Topic.of(String.class).history(10).bus(bus);
    Topic<String> here = Topic.of(String.class).history(10).bus(bus);
    there.publish("old");
    clock.set(clock.get().plusSeconds(5)); // more than clocks may differ
    WebSockets step =
        WebSockets.callbacks()
            .onOpen(
                socket -> {
                  there.publish("new");
                  here.join(socket);
                  there.publish("last");
                });
    TestWebSocket socket = client(step).webSocket("/");
    assertEquals("\"new\"", socket.text());
    assertEquals("\"last\"", socket.text());
    socket.disconnect();
  }

  /** A bus that is unreachable. */
  private static final class LostBus implements TopicBus {

    @Override
    public long publish(String topic, String json, int keep) throws IOException {
      throw new IOException("out of reach");
    }

    @Override
    public AutoCloseable subscribe(String topic, long since, Consumer<? super Message> consumer)
        throws IOException {
      throw new IOException("out of reach");
    }
  }

  @Test
  void withoutABusSocketsAreRejectedAndStreamsEnd() throws Exception {
    Topic<String> topic = Topic.of(String.class).bus(new LostBus());
    Reply rejected = client(topic.webSocket()).webSocket("/").head();
    assertEquals(503, rejected.status());
    assertEquals("1", rejected.header("Retry-After"));
    Reply ended = client(topic.events()).open(Call.get("/")).reply();
    assertEquals(200, ended.status());
    assertEquals("", ended.text());
  }

  @Test
  void aClientThatReconnectsGetsMissedMessages() throws Exception {
    Topic<Integer> topic = Topic.of(Integer.class).history(3);
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      ids.add(topic.publish(i));
    }
    Client client = client(topic.events());
    assertEquals(List.of("4", "5"), back(client, Long.toString(ids.get(3)), 2));
    assertEquals(List.of("3", "4", "5"), back(client, Long.toString(ids.get(0)), 3));
    assertEquals(List.of("3", "4", "5"), back(client, "0", 3));
    String later = Long.toString(ids.get(5) + 1_000_000_000);
    assertEquals(List.of("3", "4", "5"), back(client, later, 3));
  }

  /** A bus that delivers messages late to its subscribers. */
  private static final class LateBus implements TopicBus {

    private final TopicBus bus;
    private final List<Runnable> held = new ArrayList<>();
    private boolean late;

    LateBus(TopicBus bus) {
      this.bus = bus;
    }

    @Override
    public long publish(String topic, String json, int keep) throws IOException {
      return bus.publish(topic, json, keep);
    }

    @Override
    public AutoCloseable subscribe(String topic, long since, Consumer<? super Message> consumer)
        throws IOException {
      AtomicBoolean listening = new AtomicBoolean();
      AutoCloseable end =
          bus.subscribe(
              topic,
              since,
              message -> {
                if (late && listening.get()) {
                  held.add(() -> consumer.accept(message));
                } else {
                  consumer.accept(message);
                }
              });
      listening.set(true);
      return end;
    }

    void late(boolean late) {
      this.late = late;
      held.forEach(Runnable::run);
      held.clear();
    }
  }

  @Test
  void aClientThatReconnectsToASlowProcessGetsNoMessageTwice() throws Exception {
    TopicBus bus = MemoryTopics.of();
    LateBus late = new LateBus(bus);
    Topic<Integer> here = Topic.of(Integer.class).history(10).bus(bus);
    Topic<Integer> there = Topic.of(Integer.class).history(10).bus(late);
    open.add(there.subscribe(message -> {}));
    here.publish(0);
    late.late(true);
    here.publish(1);
    long seen = here.publish(2);
    TestEventStream behind = listening(client(there.events()), "/?lastEventId=" + seen);
    TestEventStream bogus =
        listening(client(there.events()), "/?lastEventId=" + (seen + (1L << 52)));
    assertEquals("0", bogus.data()); // all stored messages, as if the bus had lost its memory
    here.publish(3);
    late.late(false);
    assertEquals("3", behind.data());
    for (String text : List.of("1", "2", "3")) {
      assertEquals(text, bogus.data());
    }
    behind.disconnect();
    bogus.disconnect();
  }

  private static List<String> back(Client client, String id, int count) {
    TestEventStream stream = client.events(Call.get("/").header("Last-Event-ID", id));
    List<String> data = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      data.add(stream.data());
    }
    stream.disconnect();
    return data;
  }

  @Test
  void anInvalidIdIsIgnored() throws Exception {
    Topic<Integer> topic = Topic.of(Integer.class).history(3);
    topic.publish(1);
    Client client = client(topic.events());
    for (String id : List.of("x", "-1", "1e9", "99999999999999999999", "' or 1=1")) {
      TestEventStream stream = client.events(Call.get("/").header("Last-Event-ID", id));
      assertEquals(200, stream.head().status());
      stream.disconnect();
    }
  }

  @Test
  void aSlowStreamIsDisconnectedAndReconnects() throws Exception {
    Topic<String> topic = Topic.of(String.class).history(5).maxQueueSize("40kb");
    Client client = client(topic.events());
    TestEventStream slow = client.events("/?lastEventId=0");
    TestEventStream quick = client.events("/?lastEventId=0");
    long first = topic.publish("first");
    assertEquals("\"first\"", slow.data());
    assertEquals("\"first\"", quick.data());
    slow.pause();
    String last = "";
    for (int i = 0; i < 200; i++) {
      last = "x".repeat(4096) + i;
      topic.publish(last);
      assertTrue(quick.data().endsWith("x" + i + "\""));
    }
    slow.resume();
    assertTrue(slow.awaitEnd());
    assertEquals(5, back(client, Long.toString(first), 5).size());
    quick.disconnect();
  }

  @Test
  void slowSocketsAreClosedWith1013() throws Exception {
    Topic<String> topic = Topic.of(String.class).maxQueueSize("40kb").history(1);
    TestWebSocket slow = client(topic.webSocket()).webSocket("/?lastEventId=0");
    topic.publish("first");
    assertEquals("\"first\"", slow.text());
    slow.pause();
    for (int i = 0; i < 200; i++) {
      topic.publish("x".repeat(4096) + i);
    }
    slow.resume();
    assertEquals(1013, slow.closeCode());
  }

  @Test
  void aMessageFromTheClientClosesTheSocketWith1003() {
    TestWebSocket socket = client(Topic.of(String.class).webSocket()).webSocket("/");
    socket.send("x");
    assertEquals(1003, socket.closeCode());
  }

  @Test
  void theApplicationSubscribesByType() throws Exception {
    Topic<News> topic = Topic.of(News.class);
    List<News> heard = new CopyOnWriteArrayList<>();
    AutoCloseable subscription = topic.subscribe(heard::add);
    topic.publish(new News("a"));
    subscription.close();
    topic.publish(new News("b"));
    assertEquals(List.of(new News("a")), heard);
  }

  @Test
  void topicsOfOneNameShareMessagesOnABus() throws Exception {
    TopicBus bus = MemoryTopics.of();
    Topic<News> here = Topic.of(News.class).bus(bus).history(2);
    Topic<News> there = Topic.of(News.class).bus(bus).history(2);
    Topic<News> other = Topic.of(News.class).bus(bus).name("other");
    List<News> heard = new CopyOnWriteArrayList<>();
    List<News> unheard = new CopyOnWriteArrayList<>();
    open.add(there.subscribe(heard::add));
    open.add(other.subscribe(unheard::add));
    here.publish(new News("a"));
    await(() -> heard.size() == 1);
    assertEquals(List.of(), unheard);
    there.close();
  }

  private static void await(BooleanSupplier there) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!there.getAsBoolean() && System.nanoTime() < end) {
      Thread.sleep(1);
    }
    assertTrue(there.getAsBoolean());
  }

  @Test
  void invalidOptionsAreRejected() {
    Topic<String> topic = Topic.of(String.class);
    assertEquals("history must be at least 0, was -1", Played.rejection(() -> topic.history(-1)));
    assertEquals(
        "maxQueueSize must be a size such as \"100kb\", was \"x\"",
        Played.rejection(() -> topic.maxQueueSize("x")));
    assertEquals("name must not be empty", Played.rejection(() -> topic.name("")));
  }
}
