package dev.percolate.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.middleware.EventStream;
import dev.percolate.middleware.Events;
import dev.percolate.nio.NioEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Server-sent events on streams. */
@Timeout(30)
final class EventsOverStreamsTest {

  private final BlockingQueue<String> feed = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
  private Server server;
  private FrameClient client;

  @BeforeEach
  void serve() throws IOException {
    Events step = Events.of((req, events) -> tell(events)).heartbeat("20 ms").retry("1 s");
    ListenOptions options =
        ListenOptions.ofPort(0)
            .host("127.0.0.1")
            .threads(ThreadMode.ofThisJdk())
            .http2PriorKnowledge(true);
    server = new NioEngine().listen(Chain.service(new Settings(), step), options);
    client = FrameClient.open(server.port());
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  private void tell(EventStream events) throws Exception {
    try {
      while (true) {
        events.send(feed.take());
      }
    } catch (InterruptedException e) {
      ends.add("woken, open: " + events.isOpen());
      throw e;
    }
  }

  /** Waits until a stream has delivered a text, in any number of chunks. */
  private void await(int stream, String text) throws IOException {
    StringBuilder all = new StringBuilder();
    while (all.indexOf(text) < 0) {
      Frame more =
          client.await(text, one -> one.stream() == stream && one.type() == FrameType.DATA);
      all.append(new String(more.payload(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void eventsAndHeartbeatsComeAtOnce() throws IOException {
    Frame head = client.get(1, "/").awaitHead(1);
    assertEquals("200", head.status());
    assertEquals("text/event-stream", head.headers().get("content-type"));
    await(1, "retry: 1000\n");
    feed.add("one");
    await(1, "data: one\n\n");
    await(1, ": \n");
    await(1, ": \n");
    feed.add("two");
    await(1, "data: two\n\n");
  }

  @Test
  void aStreamThatIsResetOrLostEndsItsHandler() throws Exception {
    client.get(1, "/");
    await(1, "retry: "); // otherwise it may be over before the handler is called
    client.reset(1);
    assertEquals("woken, open: false", ends.poll(10, TimeUnit.SECONDS));
    client.get(3, "/");
    await(3, "retry: ");
    client.close();
    assertEquals("woken, open: false", ends.poll(10, TimeUnit.SECONDS));
  }

  @Test
  void aStreamThatIsNotReadDelaysOnlyItsOwnEvents() throws IOException {
    try (FrameClient slow = FrameClient.open(server.port(), PeerSettings.INITIAL_WINDOW_SIZE, 64)) {
      slow.get(1, "/").awaitHead(1);
      slow.get(3, "/").awaitHead(3);
      slow.open(3, 1 << 20);
      for (int beats = 0; beats < 10; beats++) {
        slow.await("a heartbeat", one -> one.stream() == 3 && one.type() == FrameType.DATA);
      }
      assertTrue(slow.isAlive());
    }
  }

  @Test
  void aServerThatIsClosedEndsStreamsFirst() throws Exception {
    client.get(1, "/");
    await(1, ": \n");
    CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
    client.await("the end", Frame::endsStream);
    assertEquals("woken, open: false", ends.poll(10, TimeUnit.SECONDS));
    closing.get(10, TimeUnit.SECONDS);
  }
}
