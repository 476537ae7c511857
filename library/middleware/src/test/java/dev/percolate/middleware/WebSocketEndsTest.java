package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.ThreadMode;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.TestWebSocket;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class WebSocketEndsTest extends WebSocketTrial {

  /**
   * A number of texts of 8 KiB that together exceed the high-water mark, but not the limit of
   * unsent bytes.
   */
  private static final int MANY = 40;

  @Test
  void clientsArePingedAndClosedIfSilent() {
    TestWebSocket answers = socket(ECHO.pingInterval("10 ms").idleTimeout("10 s"));
    answers.awaitPing();
    answers.awaitPing();
    answers.disconnect();
    TestWebSocket silent = socket(ECHO.pingInterval("10 s").idleTimeout("30 ms"));
    assertEquals(1001, silent.closeCode());
  }

  @Test
  void aSlowClientIsClosedWith1013() throws Exception {
    CompletableFuture<String> end = new CompletableFuture<>();
    TestWebSocket socket =
        socket(
            WebSockets.of(
                    it -> {
                      byte[] piece = new byte[32 << 10];
                      try {
                        while (true) {
                          it.send(piece);
                        }
                      } catch (IOException e) {
                        end.complete(it.closeCode() + " " + it.isOpen());
                      }
                    })
                .sendTimeout("50 ms"));
    socket.bytes();
    socket.pause();
    assertEquals("1013 false", end.get(10, TimeUnit.SECONDS));
    socket.resume();
    assertEquals(1013, socket.closeCode());
  }

  @Test
  void onAnEventLoopASlowClientIsClosedWhenTooMuchIsUnsent() throws Exception {
    CompletableFuture<Integer> end = new CompletableFuture<>();
    TestWebSocket socket =
        client(
                ThreadMode.EVENT_LOOP,
                WebSockets.callbacks()
                    .onText(
                        (it, text) -> {
                          for (int i = 0; i < 100; i++) {
                            it.send(new byte[32 << 10]);
                          }
                        })
                    .onClose((it, code, why) -> end.complete(code)))
            .webSocket("/");
    socket.head();
    socket.pause();
    socket.send("go");
    socket.resume();
    socket.disconnect();
    end.get(10, TimeUnit.SECONDS);
  }

  @Test
  void bothSidesMayCloseAtTheSameTime() throws Exception {
    BlockingQueue<WebSocket> begun = new LinkedBlockingQueue<>();
    Client client = client(ThreadMode.EVENT_LOOP, WebSockets.callbacks().onOpen(begun::add));
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < 10_000; i++) {
        TestWebSocket socket = client.webSocket("/");
        WebSocket server = Objects.requireNonNull(begun.poll(10, TimeUnit.SECONDS));
        Future<?> closed = other.submit(() -> server.close(3000, "ours"));
        for (int spins = i % 1000; spins > 0; spins--) {
          Thread.onSpinWait();
        }
        socket.close(4000, "theirs");
        int code = socket.closeCode();
        assertTrue(code == 3000 || code == 4000, "closed by " + code + " in round " + i);
        closed.get(10, TimeUnit.SECONDS);
        socket.awaitEnd();
        assertEquals(code, server.closeCode(), "in round " + i);
      }
    } finally {
      other.shutdownNow();
    }
  }

  @Test
  @DisplayName("WS-12: on an event loop more is read from a client when it has read most")
  void onAnEventLoopMoreIsReadFromAClientWhenItHasReadMost() throws Exception {
    AtomicInteger taken = new AtomicInteger();
    TestWebSocket socket = client(ThreadMode.EVENT_LOOP, counted(taken)).webSocket("/");
    socket.head();
    socket.pause();
    String text = "x".repeat(8 << 10);
    for (int i = 0; i < MANY; i++) {
      socket.send(text);
    }
    await(() -> taken.get() > 1);
    Thread.sleep(50);
    assertTrue(taken.get() < MANY, "taken: " + taken);
    socket.resume();
    for (int i = 0; i < MANY; i++) {
      assertEquals(text, socket.text());
    }
    socket.disconnect();
  }

  @Test
  @DisplayName("WS-12: on an event loop a client that reads nothing is closed with 1013")
  void onAnEventLoopAClientThatReadsNothingIsClosedWith1013() throws Exception {
    AtomicInteger taken = new AtomicInteger();
    CompletableFuture<WebSocket> begun = new CompletableFuture<>();
    WebSockets step = counted(taken).sendTimeout("50 ms").onOpen(begun::complete);
    TestWebSocket socket = client(ThreadMode.EVENT_LOOP, step).webSocket("/");
    socket.head();
    socket.pause();
    for (int i = 0; i < MANY; i++) {
      socket.send("x".repeat(8 << 10));
    }
    WebSocket server = begun.get(10, TimeUnit.SECONDS);
    await(() -> !server.isOpen());
    assertEquals(1013, server.closeCode());
    assertTrue(taken.get() < MANY, "taken: " + taken);
    socket.resume();
    socket.disconnect();
  }

  private static WebSockets counted(AtomicInteger taken) {
    return WebSockets.callbacks()
        .onText(
            (it, text) -> {
              taken.incrementAndGet();
              it.send(text);
            });
  }

  @Test
  void theLimitOfMessagesAlsoHoldsForPlainOnesIfCompressionIsNegotiated() {
    Call call = Call.get("/").header("Sec-WebSocket-Extensions", "permessage-deflate");
    TestWebSocket socket =
        client(ThreadMode.ofThisJdk(), ECHO.maxMessageSize("10b")).webSocket(call);
    socket.frame(1, true, new byte[10]);
    assertEquals(10, socket.text().length());
    socket.frame(1, true, new byte[11]);
    assertEquals(1009, socket.closeCode());
  }

  @Test
  void serverShutdownClosesSocketsWith1001() throws Exception {
    for (WebSockets step : List.of(ECHO, CALLED)) {
      dev.percolate.testkit.MemoryClient client =
          dev.percolate.testkit.MemoryClient.of(Chain.service(new Settings(), step));
      open.add(client);
      TestWebSocket socket = client.webSocket("/");
      socket.send("a");
      assertEquals("a", socket.text());
      client.shutDown();
      assertEquals(1001, socket.closeCode());
      socket.close(1001, "");
      socket.awaitEnd();
    }
  }

  @Test
  void theEndOfASessionClosesItsSockets() {
    Middleware sessions = Sessions.of("secret");
    Middleware login =
        (req, res, next) -> {
          req.attr(Sessions.SESSION).set("user", "ann");
          next.run();
        };
    TestWebSocket socket =
        socket(
            sessions,
            login,
            WebSockets.callbacks()
                .onOpen(it -> it.closeWith(it.req().attr(Sessions.SESSION)))
                .onText((it, text) -> it.req().attr(Sessions.SESSION).destroy()));
    assertTrue(String.valueOf(socket.head().header("Set-Cookie")).startsWith("sid="));
    socket.send("log out");
    assertEquals(1008, socket.closeCode());
    assertEquals("the session has ended", socket.closeReason());
  }

  @Test
  void aSessionEndedOnAnotherDeviceClosesItsSocketsImmediately() throws Exception {
    BlockingQueue<Session> phone = new LinkedBlockingQueue<>();
    BlockingQueue<OwnedSessions> desk = new LinkedBlockingQueue<>();
    Middleware login =
        (req, res, next) -> {
          Session session = req.attr(Sessions.SESSION).owner("ann").save();
          if (req.path().equals("/desk")) {
            desk.add(session.owned());
          } else {
            phone.add(session);
          }
          next.run();
        };
    Client client =
        client(
            ThreadMode.ofThisJdk(),
            Sessions.of("secret").store(MemorySessions.of()),
            login,
            WebSockets.callbacks()
                .onOpen(
                    it -> {
                      it.closeWith(it.req().attr(Sessions.SESSION));
                      it.send("open");
                    })
                .pingInterval("1 h"));
    TestWebSocket other = client.webSocket("/desk");
    assertEquals("open", other.text());
    OwnedSessions owned = Objects.requireNonNull(desk.poll(10, TimeUnit.SECONDS));

    TestWebSocket lost = client.webSocket("/phone");
    assertEquals("open", lost.text());
    String handle = Objects.requireNonNull(phone.poll(10, TimeUnit.SECONDS)).owned().ownHandle();
    assertTrue(owned.end(handle));
    assertEquals(1008, lost.closeCode());

    TestWebSocket found = client.webSocket("/phone");
    assertEquals("open", found.text());
    owned.endAll();
    assertEquals(1008, found.closeCode());
    assertEquals(1008, other.closeCode());
  }

  @Test
  void aSessionRemovedFromTheStoreClosesItsSocketsAtTheNextPing() throws Exception {
    MemorySessions store = MemorySessions.of();
    Middleware login =
        (req, res, next) -> {
          req.attr(Sessions.SESSION).set("user", "ann");
          next.run();
        };
    TestWebSocket socket =
        socket(
            Sessions.of("secret").store(store),
            login,
            WebSockets.callbacks()
                .onOpen(it -> it.closeWith(it.req().attr(Sessions.SESSION)))
                .onText((it, text) -> store.remove(it.req().attr(Sessions.SESSION).id()))
                .pingInterval("20 ms"));
    socket.send("log out elsewhere");
    assertEquals(1008, socket.closeCode());
  }
}
