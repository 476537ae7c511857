package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests a WebSocket server against RFC 6455 and RFC 7692: more than 200 cases, named after
 * sections, each sent as a whole and in small parts. Extend this class in the tests of a server:
 *
 * <pre>
 *   final class MemoryWebSocketTest extends WebSocketContract {
 *     &#64;Override protected Client echo(long most) {
 *       return engine.client(Chain.service(settings, WebSockets.of(…)));
 *     }
 *   }
 * </pre>
 */
public abstract class WebSocketContract {

  private static final List<Integer> PIECES = List.of(1, 100);

  private final List<Client> clients = new ArrayList<>();

  /** Creates the tests of one server. */
  protected WebSocketContract() {}

  /**
   * Creates a client of a server that sends each message back, as text or binary, at every target.
   * The server compresses messages for clients that support it.
   *
   * @param most the maximum size of a message in bytes, before and after decompression
   * @return the client; the test closes it
   * @throws Exception if the server cannot be started
   */
  protected abstract Client echo(long most) throws Exception;

  @AfterEach
  void closeClients() {
    clients.forEach(Client::close);
  }

  private Client client() throws Exception {
    Client client = echo(FrameCases.MOST);
    clients.add(client);
    return client;
  }

  @TestFactory
  @Execution(ExecutionMode.SAME_THREAD) // the client is closed after the last test
  Stream<DynamicTest> framesFollowTheStandard() throws Exception {
    Client client = client();
    return FrameCases.all().stream().map(one -> dynamicTest(one.name(), () -> check(client, one)));
  }

  private static void check(Client client, FrameCases.Case one) {
    play(client, one, one.bytes().length);
    for (int size : PIECES) {
      if (one.bytes().length > size && one.bytes().length / size <= 300) {
        play(client, one, size);
      }
    }
  }

  private static void play(Client client, FrameCases.Case one, int size) {
    Call call = Call.get("/");
    Call asking =
        one.compression() ? call.header("Sec-WebSocket-Extensions", "permessage-deflate") : call;
    try (TestWebSocket socket = client.webSocket(asking)) {
      assertEquals(101, socket.head().status());
      byte[] bytes = one.bytes();
      for (int at = 0; at < bytes.length; at += size) {
        socket.raw(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size)));
      }
      if (!one.expected().equals("goes on")) { // only a part of a frame was sent
        for (String part : one.expected().split("; ", -1)) {
          expect(socket, part);
        }
      }
    }
  }

  /** Checks the server's response to a part of the input. */
  private static void expect(TestWebSocket socket, String part) {
    int blank = (part + " ").indexOf(' ');
    String rest = part.substring(Math.min(part.length(), blank + 1));
    switch (part.substring(0, blank)) {
      case "text" -> {
        if (!rest.startsWith("compressed ")) {
          expectText(socket, rest);
        } else {
          assertEquals("Hello", socket.text());
        }
      }
      case "bytes" -> expectBytes(socket, rest);
      case "ping" -> expectLong(rest, socket.pong());
      case "close" -> {
        int code = Integer.parseInt(rest.substring(0, (rest + " ").indexOf(' ')));
        assertEquals(code == 1005 ? 1000 : code, socket.closeCode());
      }
      case "fails" -> {
        String[] words = rest.split(": ", 2);
        assertEquals(words[0], "with " + socket.closeCode());
        assertEquals(words[1], socket.closeReason());
      }
      case "goes" -> {
        if (socket.ping("still there").pong().equals("still there")) {
          return;
        }
        throw new AssertionError("another pong");
      }
      default -> {} // a pong has no response, and "over" follows a checked close code
    }
  }

  private static void expectText(TestWebSocket socket, String rest) {
    // Control frames can come between the fragments of a message.
    if (rest.startsWith("ping ") || rest.startsWith("pong ") || rest.startsWith("close ")) {
      expect(socket, rest);
    } else {
      expectLong(rest, socket.text());
    }
  }

  private static void expectBytes(TestWebSocket socket, String rest) {
    byte[] bytes = socket.bytes();
    String shown = HexFormat.of().formatHex(bytes);
    assertEquals(rest, bytes.length > 100 ? bytes.length + " bytes" : shown);
  }

  private static void expectLong(String expected, String text) {
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    assertEquals(expected, length > 100 ? length + " bytes" : text);
  }

  @Test
  void bytesAfterTheHandshakeAreNotLost() throws Exception {
    TestWebSocket socket = client().webSocket("/");
    socket.raw(FrameCases.frame(0x81, "a")).raw(FrameCases.frame(0x81, "b"));
    assertEquals("a", socket.text());
    assertEquals("b", socket.text());
  }

  @Test
  void aFloodOfPingsDoesNotDelayOtherClients() throws Exception {
    Client client = client();
    TestWebSocket flood = client.webSocket("/");
    flood.head();
    flood.pause();
    for (int i = 0; i < 20_000; i++) {
      flood.ping("p".repeat(125));
    }
    TestWebSocket other = client.webSocket("/");
    other.send("a");
    assertEquals("a", other.text());
    flood.resume();
    flood.ping("last");
    String pong = flood.pong();
    while (!pong.equals("last")) {
      pong = flood.pong();
    }
    other.close(1000, "");
    assertEquals(1000, other.closeCode());
  }

  @Test
  void aTooLargeCompressedMessageIsRejected() throws Exception {
    Call call = Call.get("/").header("Sec-WebSocket-Extensions", "permessage-deflate");
    TestWebSocket socket = client().webSocket(call);
    socket.send(new byte[20 << 20]);
    assertEquals(1009, socket.closeCode());
  }

  @Test
  void manyBytesGoBothWaysInOrder() throws Exception {
    TestWebSocket socket = client().webSocket("/");
    for (int i = 0; i < 1000; i++) {
      socket.send(i + "x".repeat(1000));
    }
    for (int i = 0; i < 1000; i++) {
      assertTrue(socket.text().startsWith(i + "x"));
    }
    socket.close(1000, "");
    assertEquals(1000, socket.closeCode());
    socket.awaitEnd();
  }
}
