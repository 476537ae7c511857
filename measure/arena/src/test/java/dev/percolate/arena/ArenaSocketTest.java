package dev.percolate.arena;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.Server;
import dev.percolate.fixtures.RawSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the rules of the profile {@code echo-ws}, as the validation of HttpArena does. */
final class ArenaSocketTest {

  @TempDir private static Path folder;
  private static List<Server> servers;

  @BeforeAll
  static void start() throws Exception {
    ArenaData.write(folder);
    servers =
        ArenaServer.start(
            Map.of("ARENA_DATA", folder.toString(), "ARENA_PORTS", "0,0,0,0", "TLS_CERT", "none"));
  }

  @AfterAll
  static void stop() throws Exception {
    servers.get(0).close();
    servers.get(3).close();
  }

  /** A socket that keeps what it receives: texts, bytes, and the code of the end. */
  private static final class Socket implements WebSocket.Listener {

    private final BlockingQueue<Object> received = new LinkedBlockingQueue<>();
    private final StringBuilder text = new StringBuilder();
    private final WebSocket socket;

    Socket() {
      URI uri = URI.create("ws://127.0.0.1:" + servers.get(0).port() + "/ws");
      socket = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(uri, this).join();
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        received.add(text.toString());
        text.setLength(0);
      }
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      byte[] bytes = new byte[data.remaining()];
      data.get(bytes);
      received.add(bytes);
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      received.add(code);
      return null;
    }

    Object next() throws InterruptedException {
      return received.poll(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void textsAndBytesAreReturnedInOrderUntilTheSocketIsClosed() throws Exception {
    Socket one = new Socket();
    for (int i = 0; i < 5; i++) {
      one.socket.sendText("HttpArena " + i, true).join();
    }
    for (int i = 0; i < 5; i++) {
      assertEquals("HttpArena " + i, one.next());
    }
    byte[] bytes = new byte[256];
    new Random().nextBytes(bytes);
    one.socket.sendBinary(ByteBuffer.wrap(bytes), true).join();
    assertArrayEquals(bytes, (byte[]) one.next());
    one.socket.sendClose(1000, "validate done").join();
    assertEquals(1000, one.next());
    Socket other = new Socket();
    other.socket.sendText("health", true).join();
    assertEquals("health", other.next());
    other.socket.sendClose(1000, "").join();
    assertEquals(1000, other.next());
  }

  @Test
  void anOrdinaryRequestIsRejected() throws Exception {
    try (RawSocket raw = new RawSocket(servers.get(0))) {
      raw.send("GET /ws HTTP/1.1\r\nHost: localhost\r\n\r\n");
      String head = raw.readTo("\r\n\r\n");
      assertTrue(head.startsWith("HTTP/1.1 426 "), head);
    }
  }
}
