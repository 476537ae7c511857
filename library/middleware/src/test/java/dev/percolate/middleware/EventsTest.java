package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.ThreadMode;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.MemoryClient;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestEventStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EventsTest {

  private static final long DEADLINE = 10;

  private final Lint lint = new Lint();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void endAll() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
    lint.check();
  }

  private Client client(ThreadMode mode, Middleware... steps) {
    MemoryEngine engine = new MemoryEngine(mode);
    List<Middleware> watched = new ArrayList<>();
    for (Middleware step : steps) {
      watched.add(lint.around(step));
    }
    watched.add(Played.SHOWN);
    Client client =
        engine.client(
            lint.service(Chain.service(new Settings(), watched.toArray(Middleware[]::new))));
    open.add(client);
    return client;
  }

  private TestEventStream events(Middleware... steps) {
    return client(ThreadMode.ofThisJdk(), steps).events("/news");
  }

  /** Public, since another module serializes it to JSON. */
  public record News(String text, int number) {}

  @ParameterizedTest
  @MethodSource("dev.percolate.middleware.Modes#waiting")
  void eventsHaveIdsNamesAndDataInEveryThreadMode(ThreadMode mode) {
    TestEventStream talk =
        client(
                mode,
                Events.of(
                    (req, events) ->
                        events
                            .send("plain")
                            .send("named", Map.of("a", 1))
                            .send(7, "news", new News("x", 2))
                            .comment("so\nlong")))
            .events("/");
    assertEquals(new TestEventStream.Event("", "message", "plain"), talk.next());
    assertEquals(new TestEventStream.Event("", "named", "{\"a\":1}"), talk.next());
    assertEquals(
        new TestEventStream.Event("7", "news", "{\"text\":\"x\",\"number\":2}"), talk.next());
    assertEquals(List.of("so", "long"), talk.comments(2));
    assertTrue(talk.awaitEnd());
  }

  @Test
  void theHeadersDisableCachingAndBuffering() {
    TestEventStream talk =
        events(Compression.of(), Events.of((req, events) -> events.send("x")).retry("3 s"));
    Reply head = talk.head();
    assertEquals("text/event-stream", head.header("Content-Type"));
    assertEquals("no-cache, no-store, no-transform", head.header("Cache-Control"));
    assertEquals("no", head.header("X-Accel-Buffering"));
    assertEquals(null, head.header("Content-Encoding"));
    assertEquals("x", talk.data());
    assertEquals("3000", talk.retry());
  }

  @Test
  void theHeadersAreSentBeforeTheFirstEvent() {
    Events never = Events.async((req, events) -> {}).heartbeat("9999999 hours");
    TestEventStream talk = events(never);
    assertEquals(200, talk.head().status());
    talk.disconnect();
  }

  @Test
  void aReconnectingClientSendsItsLastEventId() {
    Middleware step = Events.of((req, events) -> events.send("[" + events.lastEventId() + "]"));
    assertEquals("[]", events(step).data());
    Call back = Call.get("/news").header("Last-Event-ID", "41");
    assertEquals("[41]", client(ThreadMode.ofThisJdk(), step).events(back).data());
    Client byQuery = client(ThreadMode.ofThisJdk(), step);
    assertEquals("[42]", byQuery.events("/news?lastEventId=42").data());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\n\nevent: forged\ndata: x",
        "a\r\rdata: x",
        "a\r\n\r\nid: 9\r\n",
        "\n",
        "\r",
        "",
        " a",
        ": a",
        "a\0b",
        "data: x\n\n",
        "\u2028\u0085"
      })
  void dataCannotForgeAnEvent(String data) {
    TestEventStream talk =
        events(Events.of((req, events) -> events.send(1, "e", data).send(2, "e", "end")));
    String read = data.replace("\r\n", "\n").replace('\r', '\n');
    assertEquals(new TestEventStream.Event("1", "e", read), talk.next());
    assertEquals(new TestEventStream.Event("2", "e", "end"), talk.next());
    assertTrue(talk.awaitEnd());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "a\rb", "a\0b", "\n", "\r\n"})
  void idsAndNamesCannotForgeAnEvent(String text) {
    CompletableFuture<String> rejected = new CompletableFuture<>();
    TestEventStream talk =
        events(
            Events.of(
                (req, events) -> {
                  try {
                    events.send(text, "", "x");
                  } catch (IllegalArgumentException e) {
                    rejected.complete(e.getMessage());
                  }
                  try {
                    events.send(text, "x");
                  } catch (IllegalArgumentException e) {
                    events.send(String.valueOf(e.getMessage()).startsWith("event "));
                  }
                }));
    assertEquals("true", talk.data());
    assertTrue(rejected.join().startsWith("id "), rejected.join());
  }

  @Test
  void commentsCannotForgeAnEvent() {
    TestEventStream talk =
        events(Events.of((req, events) -> events.comment("a\ndata: x\r\rdata: y").send("end")));
    assertEquals("end", talk.data());
    assertEquals(List.of("a", "data: x", "", "data: y"), talk.comments(4));
  }

  @Test
  void commentsAreSentDuringSilence() {
    TestEventStream talk = events(Events.async((req, events) -> {}).heartbeat("5 ms"));
    assertEquals(List.of("", "", ""), talk.comments(3).subList(0, 3));
    talk.disconnect();
  }

  @ParameterizedTest
  @MethodSource("dev.percolate.middleware.Modes#waiting")
  void aDisconnectedClientEndsTheHandlerWithinAHeartbeat(ThreadMode mode) throws Exception {
    BlockingQueue<String> feed = new LinkedBlockingQueue<>();
    CompletableFuture<String> end = new CompletableFuture<>();
    Middleware step =
        Events.of(
                (req, events) -> {
                  events.send("begun");
                  try {
                    events.send(feed.take());
                  } catch (InterruptedException e) {
                    end.complete("woken, open: " + events.isOpen());
                    throw e;
                  }
                })
            .heartbeat("20 ms");
    TestEventStream talk = client(mode, step).events("/");
    assertEquals("begun", talk.data());
    talk.disconnect();
    assertEquals("woken, open: false", end.get(DEADLINE, TimeUnit.SECONDS));
  }

  @Test
  void anEventAfterTheEndIsAnIOException() throws Exception {
    CompletableFuture<EventStream> stream = new CompletableFuture<>();
    CompletableFuture<Void> over = new CompletableFuture<>();
    TestEventStream talk =
        events(
            Events.async(
                (req, events) -> {
                  stream.complete(events.onClose(() -> over.complete(null)));
                }));
    assertTrue(stream.get(DEADLINE, TimeUnit.SECONDS).isOpen());
    stream.get().close();
    assertTrue(talk.awaitEnd());
    over.get(DEADLINE, TimeUnit.SECONDS);
    assertFalse(stream.get().isOpen());
    assertThrows(IOException.class, () -> stream.get().send("late"));
  }

  @Test
  void theStreamEndsIfTheClientIsTooSlowForAnEventLoop() throws Exception {
    CompletableFuture<EventStream> stream = new CompletableFuture<>();
    String mebibyte = "x".repeat(1 << 20);
    Middleware sending =
        (req, res, next) -> {
          if (req.path().equals("/send")) {
            assertThrows(
                IOException.class, () -> stream.get().send(mebibyte).send(mebibyte).send(mebibyte));
            res.send("open: " + stream.get().isOpen());
          } else {
            next.run();
          }
        };
    Middleware news = Events.async((req, events) -> stream.complete(events));
    Client client = client(ThreadMode.EVENT_LOOP, sending, news);
    TestEventStream talk = client.events("/news");
    assertEquals(200, talk.head().status());
    talk.pause();
    assertEquals("open: false", Call.get("/send").to(client).text());
    talk.resume();
    assertTrue(talk.awaitEnd());
  }

  @Test
  void closingAServerEndsStreamsFirst() throws Exception {
    CompletableFuture<Boolean> woken = new CompletableFuture<>();
    MemoryClient client =
        MemoryClient.of(
            Chain.service(
                new Settings(),
                Events.of(
                    (req, events) -> {
                      events.send("begun");
                      try {
                        new CountDownLatch(1).await(); // until it is interrupted
                      } catch (InterruptedException e) {
                        woken.complete(true);
                      }
                    })));
    open.add(client);
    TestEventStream talk = client.events("/");
    assertEquals("begun", talk.data());
    client.shutDown();
    assertTrue(talk.awaitEnd());
    assertTrue(woken.get(DEADLINE, TimeUnit.SECONDS));
  }

  @Test
  void aHandlerThatFailsEndsTheStream() {
    TestEventStream talk =
        events(
            Events.of(
                (req, events) -> {
                  events.send("x");
                  throw new IllegalStateException("thrown by the test");
                }));
    assertEquals("x", talk.data());
    assertTrue(talk.awaitEnd());
  }

  @Test
  void headIsAnsweredWithoutAStream() {
    Reply reply = Played.reply(Call.head("/"), Events.of((req, events) -> events.send("x")));
    assertEquals(200, reply.status());
    assertEquals("", reply.text());
    assertNotEquals(null, reply.header("X-Accel-Buffering"));
  }

  @Test
  void invalidOptionsAreRejected() {
    Events events = Events.of((req, stream) -> {});
    assertEquals(
        "heartbeat must be a time such as \"2 hours\", was \"x\"",
        Played.rejection(() -> events.heartbeat("x")));
    assertEquals("heartbeat \"0\" must be positive", Played.rejection(() -> events.heartbeat("0")));
    assertEquals(
        "retry must be a time such as \"2 hours\", was \"soon\"",
        Played.rejection(() -> events.retry("soon")));
  }
}
