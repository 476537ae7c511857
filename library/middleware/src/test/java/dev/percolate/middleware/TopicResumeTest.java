package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.Settings;
import dev.percolate.core.store.TopicBus;
import dev.percolate.engine.ThreadMode;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.TestEventStream;
import dev.percolate.testkit.TestWebSocket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that reconnect and sockets that join late get every message exactly once. */
final class TopicResumeTest {

  private static final Pattern FRAME = Pattern.compile("\\{\"id\":(\\d+)(?:,\"data\":(.+))?}");

  private final TopicBus bus = MemoryTopics.of();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void endAll() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  private Client client(ThreadMode mode, Middleware step) {
    MemoryEngine engine = new MemoryEngine(mode);
    Client client = engine.client(Chain.service(new Settings(), step, Played.SHOWN));
    open.add(client);
    open.add(engine);
    return client;
  }

  private Client client(Middleware step) {
    return client(ThreadMode.ofThisJdk(), step);
  }

  private Topic<Integer> topic() {
    return Topic.of(Integer.class).name("numbers").history(100_000).ids(true).bus(bus);
  }

  private static Matcher frame(String text) {
    Matcher frame = FRAME.matcher(text);
    assertTrue(frame.matches(), text);
    return frame;
  }

  /** A page that reconnects to either of two servers, as in the documentation. */
  private static final class Page {

    private final List<Client> servers;
    private final Random random;
    private final List<String> got = new ArrayList<>();
    private String id = "";

    Page(List<Client> servers, int seed) {
      this.servers = servers;
      this.random = new Random(seed);
    }

    /** Reads a number of messages, and disconnects at intervals. */
    List<String> read(int count) {
      while (got.size() < count) {
        Client server = servers.get(random.nextInt(servers.size()));
        TestWebSocket socket = server.webSocket(id.isEmpty() ? "/" : "/?lastEventId=" + id);
        int pieces = random.nextInt(20);
        for (int i = 0; i <= pieces && got.size() < count; i++) {
          Matcher frame = frame(socket.text());
          id = frame.group(1);
          if (frame.group(2) != null) {
            got.add(frame.group(2));
          }
        }
        socket.disconnect();
      }
      return got;
    }
  }

  @ParameterizedTest
  @MethodSource("dev.percolate.middleware.Modes#all")
  void socketsThatReconnectToTwoServersMissNothingAndGetNothingTwice(ThreadMode mode)
      throws Exception {
    int count = 1000;
    Topic<Integer> here = topic();
    Topic<Integer> there = topic();
    List<Client> servers = List.of(client(mode, here.webSocket()), client(mode, there.webSocket()));
    List<CompletableFuture<List<String>>> pages = new ArrayList<>();
    CountDownLatch begun = new CountDownLatch(4);
    for (int seed = 0; seed < 4; seed++) {
      Page page = new Page(servers, seed);
      TestWebSocket first = servers.get(seed % 2).webSocket("/");
      page.id = frame(first.text()).group(1);
      first.disconnect();
      begun.countDown();
      pages.add(CompletableFuture.supplyAsync(() -> page.read(count), task -> start(task)));
    }
    begun.await();
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      (i % 2 == 0 ? here : there).publish(i);
      sent.add("" + i);
    }
    for (CompletableFuture<List<String>> page : pages) {
      assertEquals(sent, page.get(60, TimeUnit.SECONDS));
    }
  }

  private static void start(Runnable task) {
    new Thread(task).start();
  }

  @Test
  void aSocketGetsTheIdToResumeFromBeforeTheFirstMessage() throws Exception {
    Topic<Integer> topic = topic();
    long before = topic.publish(0);
    TestWebSocket socket = client(topic.webSocket()).webSocket("/");
    assertEquals("{\"id\":" + before + "}", socket.text());
    socket.disconnect();
    TestEventStream events = client(topic.events()).events("/");
    assertEquals(200, events.head().status());
    long next = topic.publish(1);
    assertEquals(new TestEventStream.Event("" + next, "message", "1"), events.next());
    events.disconnect();
    TestWebSocket back = client(topic.webSocket()).webSocket("/?lastEventId=" + before);
    assertEquals("{\"id\":" + next + ",\"data\":1}", back.text());
    back.disconnect();
  }

  @Test
  void aStreamGetsTheIdToResumeFromBeforeTheFirstMessage() throws Exception {
    Topic<Integer> topic = topic();
    long before = topic.publish(0);
    TestEventStream events = client(topic.events().heartbeat("20 ms")).events("/");
    events.comments(1);
    assertEquals("" + before, events.lastId());
    events.disconnect();
    TestEventStream none =
        client(topic.history(0).events().heartbeat("20 ms")).events("/?lastEventId=" + before);
    none.comments(1);
    assertEquals("", none.lastId());
    none.disconnect();
  }

  @Test
  void messagesHaveNoIdsByDefault() throws Exception {
    Topic<Integer> topic = topic().ids(false);
    TestWebSocket socket = client(topic.webSocket()).webSocket("/");
    assertEquals(101, socket.head().status());
    topic.publish(5);
    assertEquals("5", socket.text());
    socket.disconnect();
  }

  @ParameterizedTest
  @MethodSource("dev.percolate.middleware.Modes#all")
  void aSocketThatJoinsInACallbackMissesNoMessageSinceItWasOpened(ThreadMode mode)
      throws Exception {
    for (int keep : new int[] {0, 10}) {
      Topic<Integer> topic = Topic.of(Integer.class).name("late " + keep).history(keep).bus(bus);
      open.add(topic.subscribe(number -> {}));
      TestWebSocket socket =
          client(mode, WebSockets.callbacks().onText((one, text) -> topic.join(one)))
              .webSocket("/");
      assertEquals(101, socket.head().status());
      topic.publish(1);
      topic.publish(2);
      socket.send("join");
      assertEquals("1", socket.text());
      topic.publish(3);
      assertEquals("2", socket.text());
      assertEquals("3", socket.text());
      socket.disconnect();
    }
  }

  @Test
  void theFirstSocketOfAServerGetsStoredMessagesIfItJoinsLate() throws Exception {
    Topic<Integer> here = Topic.of(Integer.class).name("late").history(10).bus(bus);
    Topic<Integer> there = Topic.of(Integer.class).name("late").history(10).bus(bus);
    CountDownLatch sent = new CountDownLatch(1);
    TestWebSocket socket =
        client(
                WebSockets.of(
                    one -> {
                      sent.await();
                      there.join(one);
                      one.receive();
                    }))
            .webSocket("/");
    assertEquals(101, socket.head().status());
    here.publish(1);
    sent.countDown();
    assertEquals("1", socket.text());
    here.publish(2);
    assertEquals("2", socket.text());
    socket.disconnect();
  }

  @Test
  void aSocketThatJoinsGetsNoOldMessages() throws Exception {
    AtomicReference<Instant> clock = new AtomicReference<>(Instant.now());
    Topic<Integer> topic = Topic.of(Integer.class).history(10).bus(new MemoryTopics(clock::get));
    topic.publish(1);
    clock.set(clock.get().plusSeconds(60));
    TestWebSocket socket =
        client(WebSockets.callbacks().onText((one, text) -> topic.join(one))).webSocket("/");
    assertEquals(101, socket.head().status());
    socket.send("join");
    Thread.sleep(50);
    topic.publish(2);
    assertEquals("2", socket.text());
    socket.disconnect();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSocketWithAHandlerJoinsBeforeItsClientKnows(boolean waits) throws Exception {
    for (int i = 0; i < 100; i++) {
      Topic<String> rooms = Topic.of(String.class).name("rooms " + i).bus(bus);
      WebSockets step =
          waits
              ? WebSockets.of(
                  socket -> {
                    for (String text : socket.texts()) {
                      rooms.child(room(socket.req())).publish(text);
                    }
                  })
              : WebSockets.callbacks()
                  .onText((socket, text) -> rooms.child(room(socket.req())).publish(text));
      Client client = client(rooms.webSocket(TopicResumeTest::room, step));
      TestEventStream cat = client(rooms.events(TopicResumeTest::room)).events("/tea");
      cat.head();
      TestWebSocket ann = client.webSocket("/tea");
      TestWebSocket bob = client.webSocket("/tea");
      TestWebSocket eve = client.webSocket("/beer");
      ann.head();
      bob.head();
      eve.head();
      ann.send("hello");
      assertEquals("\"hello\"", ann.text());
      assertEquals("\"hello\"", bob.text());
      eve.send("cheers");
      assertEquals("\"cheers\"", eve.text());
      bob.send("bye");
      assertEquals("\"bye\"", ann.text());
      assertEquals("\"hello\"", cat.data());
      assertEquals("\"bye\"", cat.data());
      cat.disconnect();
      ann.disconnect();
      bob.disconnect();
      eve.disconnect();
    }
  }

  private static String room(Request req) {
    return req.path().substring(1);
  }

  @Test
  void theNameOfAChildBeginsWithThatOfItsTopic() throws Exception {
    Topic<String> rooms = Topic.of(String.class).name("rooms").bus(bus);
    Topic<String> same = Topic.of(String.class).name("rooms/tea").bus(bus);
    List<String> heard = new ArrayList<>();
    open.add(same.subscribe(heard::add));
    rooms.child("tea").publish("x");
    rooms.child("beer").publish("y");
    rooms.publish("z");
    assertEquals(List.of("x"), heard);
    rooms.child("").publish("w");
    assertEquals(List.of("x"), heard);
  }

  @Test
  void anInvalidIdCountsAsNoIdForASocketToo() throws Exception {
    Topic<Integer> topic = topic();
    topic.publish(1);
    Client client = client(topic.webSocket());
    for (String id : List.of("x", "-1", "1e9", "99999999999999999999", "%00")) {
      TestWebSocket talk = client.webSocket("/?lastEventId=" + id);
      assertTrue(talk.text().matches("\\{\"id\":\\d+}"));
      talk.disconnect();
    }
  }
}
