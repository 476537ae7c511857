package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.middleware.EventStream;
import dev.percolate.middleware.Events;
import dev.percolate.middleware.Room;
import dev.percolate.middleware.Rooms;
import dev.percolate.middleware.Topic;
import dev.percolate.middleware.WebSocket;
import dev.percolate.middleware.WebSocketMessage;
import dev.percolate.middleware.WebSockets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.JavascriptExecutor;

/** Tests WebSockets and server-sent events in a browser, over HTTP/1.1 and HTTP/2. */
@Timeout(60)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class LiveBrowserTest {

  /** Sends texts and bytes of many sizes, and counts those that come back in order. */
  private static final String CONVERSATION =
      """
      const done = arguments[0];
      const sizes = [0, 1, 125, 126, 127, 1000, 4096, 30000, 65535, 65536];
      const socket = new WebSocket(location.origin.replace('http', 'ws') + '/echo');
      socket.binaryType = 'arraybuffer';
      const sent = [];
      socket.onopen = () => {
        for (let i = 0; i < 1000; i++) {
          const size = sizes[Math.floor(i / 2) % sizes.length];
          const text = (i + ',').repeat(Math.ceil(size / 2)).slice(0, size);
          sent.push(text);
          socket.send(i % 2 ? text : new TextEncoder().encode(text));
        }
      };
      let count = 0;
      socket.onmessage = ({data}) => {
        const text = typeof data === 'string' ? data : new TextDecoder().decode(data);
        if ((typeof data === 'string') !== (count % 2 === 1) || text !== sent[count]) {
          done('another message ' + count);
        }
        if (++count === 1000) {
          socket.close(4001, 'done');
        }
      };
      socket.onclose = ({code, reason, wasClean}) =>
        done([count, code, reason, wasClean, socket.extensions.split(';')[0]].join(' '));
      """;

  private static final String EVENTS =
      """
      const done = arguments[0];
      const source = new EventSource('/events');
      const seen = [];
      source.addEventListener('tick', ({data, lastEventId}) => {
        seen.push(data + '=' + lastEventId);
        if (seen.length === 12) {
          source.close();
          done(seen.join(' '));
        }
      });
      """;

  private static final String FOREIGN =
      """
      const done = arguments[1];
      const socket = new WebSocket(arguments[0]);
      socket.onopen = () => done('opened');
      socket.onclose = ({code}) => done('closed ' + code);
      """;

  /** The client for browsers. */
  private static final Path SCRIPT =
      Path.of("../../library/middleware/src/main/resources/dev/percolate/middleware/rooms.js");

  private static final String TOPIC =
      """
      const done = arguments[0];
      const seen = [];
      joinRoom('/topic', ({data}) => {
        seen.push(data);
        if (seen.length === 40) {
          setTimeout(() => done(seen.join(' ')), 80); // wait for further messages
        }
      });
      """;

  private static final String ROOM =
      """
      const done = arguments[0];
      const seen = [];
      const room = joinRoom('/rooms/tea?user=ann', frame => {
        seen.push(Object.keys(frame)[0] + frame.data);
        if (seen.length === 2) {
          room.send('end');
        }
      }, code => done(seen.join(' ') + ' ' + code));
      room.send('a'); // sent when the socket is open
      """;

  private static final String LEAVE =
      """
      const done = arguments[0];
      let opened = 0;
      window.WebSocket = class {
        constructor() {
          opened++;
          setTimeout(() => this.onclose && this.onclose({code: 1006}), 0);
        }
        close() {}
      };
      const room = joinRoom('/rooms/tea?user=ann', () => {});
      setTimeout(() => { room.leave(); setTimeout(() => done(opened), 600); }, 20);
      """;

  private static final String ONLINE =
      """
      const done = arguments[0];
      let opened = 0;
      window.WebSocket = class {
        constructor() {
          opened++;
        }
        close() {}
      };
      const room = joinRoom('/rooms/tea?user=ann', () => {});
      dispatchEvent(new Event('online')); // the socket has not closed
      room.leave();
      dispatchEvent(new Event('online'));
      done(opened);
      """;

  @TempDir private static Path folder;
  private static final BlockingQueue<String> VERSIONS = new LinkedBlockingQueue<>();
  private static final BlockingQueue<String> ENDS = new LinkedBlockingQueue<>();
  private static final BlockingQueue<WebSocket> JOINED = new LinkedBlockingQueue<>();
  private static final Topic<Integer> NUMBERS = Topic.of(Integer.class).history(100).ids(true);
  private static final Rooms<String> ROOMS = Rooms.of(String.class);
  private static Chromium chromium;
  private static Server plain;
  private static Server secure;

  @BeforeAll
  static void open() throws Exception {
    chromium = Chromium.start();
    App app = new App();
    app.get("/", (req, res) -> res.send("<!doctype html><title>Live</title>"));
    app.get(
        "/echo",
        WebSockets.of(LiveBrowserTest::echo).onClose((socket, code, why) -> ENDS.add(code + why)));
    app.get("/events", Events.of((req, events) -> tick(events)).retry("20 ms"));
    app.get("/topic", NUMBERS.webSocket().onOpen(JOINED::add));
    app.get(
        "/rooms/:room",
        ROOMS.webSocket(
            req -> req.params().required("room", String.class),
            req -> req.queryRequired("user", String.class),
            LiveBrowserTest::handle));
    app.onClose(ROOMS);
    plain = app.listen(ListenOptions.ofPort(0).host("127.0.0.1"));
    ListenOptions tls = ListenOptions.ofPort(0).host("127.0.0.1").tls(OwnCertificate.in(folder));
    secure = app.listen(tls);
  }

  @AfterAll
  static void close() {
    if (chromium != null) {
      chromium.close();
    }
    for (Server one : new Server[] {plain, secure}) {
      if (one != null) {
        one.close();
      }
    }
  }

  private static void echo(WebSocket socket) throws IOException {
    VERSIONS.add(socket.req().httpVersion());
    for (WebSocketMessage message : socket.messages()) {
      if (message.isText()) {
        socket.send(message.text());
      } else {
        socket.send(message.bytes());
      }
    }
  }

  /** Sends three events after the last one that was seen. Then the browser must reconnect. */
  private static void tick(EventStream events) throws IOException {
    VERSIONS.add(events.req().httpVersion());
    int last = events.lastEventId().isEmpty() ? 0 : Integer.parseInt(events.lastEventId());
    for (int id = last + 1; id <= last + 3; id++) {
      events.send(id, "tick", "number " + id);
    }
  }

  private static void handle(Room<String> room, String user, String text) {
    if (text.equals("end")) {
      ROOMS.closeAll(user, 1008);
    } else {
      room.send(text);
      ROOMS.sendTo(user, text);
    }
  }

  @Test
  void aPageGetsMessagesOfItsRoomAndOfItsUserUntilTheUserIsLoggedOut() throws Exception {
    String seen = run(plain, Files.readString(SCRIPT) + ROOM);
    assertTrue(seen.equals("ida userIda 1008") || seen.equals("userIda ida 1008"), seen);
  }

  @Test
  void aPageThatLeavesWhileItReconnectsStaysAway() throws Exception {
    assertEquals("1", run(plain, Files.readString(SCRIPT) + LEAVE));
  }

  @Test
  void aPageThatIsOnlineAgainReconnectsUntilItLeaves() throws Exception {
    assertEquals("2", run(plain, Files.readString(SCRIPT) + ONLINE));
  }

  @Test
  void aReconnectingPageGetsEachTopicMessageOnce() throws Exception {
    NUMBERS.publish(-1);
    CompletableFuture<Void> sent = CompletableFuture.runAsync(LiveBrowserTest::sendAndCut);
    String seen = run(plain, Files.readString(SCRIPT) + TOPIC);
    sent.get(10, TimeUnit.SECONDS);
    assertEquals(
        IntStream.range(0, 40).mapToObj(String::valueOf).collect(Collectors.joining(" ")), seen);
  }

  /** Disconnects the page before its first message and after every ten messages. */
  private static void sendAndCut() {
    try {
      for (int i = 0; i < 40; i++) {
        if (i % 10 == 0) {
          JOINED.take().close(1012, "");
        }
        NUMBERS.publish(i);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String run(Server server, String script, Object... arguments) {
    String scheme = server == secure ? "https" : "http";
    chromium.driver().get(scheme + "://127.0.0.1:" + server.port() + "/");
    JavascriptExecutor page = chromium.driver();
    return String.valueOf(page.executeAsyncScript(script, arguments));
  }

  private static String next(BlockingQueue<String> queue) throws InterruptedException {
    return String.valueOf(queue.poll(10, TimeUnit.SECONDS));
  }

  @Test
  void aThousandMessagesComeBackInOrderOverHttp1AndHttp2() throws Exception {
    for (Server server : List.of(plain, secure)) {
      assertEquals("1000 4001 done true permessage-deflate", run(server, CONVERSATION));
      assertEquals(server == secure ? "2.0" : "1.1", next(VERSIONS));
      assertEquals("4001done", next(ENDS));
    }
  }

  @Test
  void aReconnectingBrowserMissesNoEventOverHttp1AndHttp2() throws Exception {
    StringBuilder expected = new StringBuilder();
    for (int id = 1; id <= 12; id++) {
      expected.append("number ").append(id).append('=').append(id).append(' ');
    }
    for (Server server : List.of(plain, secure)) {
      assertEquals(expected.toString().strip(), run(server, EVENTS));
      for (int times = 0; times < 4; times++) {
        assertEquals(server == secure ? "2.0" : "1.1", next(VERSIONS));
      }
      VERSIONS.clear();
    }
  }

  @Test
  void pagesOfOtherOriginsCannotOpenASocket() {
    for (Server server : List.of(plain, secure)) {
      String scheme = server == secure ? "wss" : "ws";
      String target = scheme + "://localhost:" + server.port() + "/echo";
      assertEquals("closed 1006", run(server, FOREIGN, target));
    }
    assertEquals(List.of(), List.copyOf(VERSIONS));
  }
}
