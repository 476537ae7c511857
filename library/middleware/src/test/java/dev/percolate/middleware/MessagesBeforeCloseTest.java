package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.engine.ThreadMode;
import dev.percolate.http.CloseCode;
import dev.percolate.http.Frame;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.TestWebSocket;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages that arrive together with the close frame (RFC 6455 section 5.5.1) are delivered before
 * the end, even if the handler requests them while they arrive.
 */
@Timeout(60)
final class MessagesBeforeCloseTest extends WebSocketTrial {

  private static final int ROUNDS = 1_000;
  private static final int MESSAGES = 12;

  private final BlockingQueue<Integer> counts = new LinkedBlockingQueue<>();

  static Set<ThreadMode> waitingModes() {
    return EnumSet.of(ThreadMode.ofThisJdk(), ThreadMode.POOL);
  }

  @ParameterizedTest
  @MethodSource("waitingModes")
  void aBlockingHandlerGetsEachMessage(ThreadMode mode) throws Exception {
    assertAllArrive(
        mode,
        WebSockets.of(
            socket -> {
              int count = 0;
              while (socket.receive() != null) {
                count++;
              }
              counts.add(count);
            }));
  }

  @ParameterizedTest
  @MethodSource("waitingModes")
  void aHandlerThatReadsStreamsGetsEachMessageWhole(ThreadMode mode) throws Exception {
    assertAllArrive(
        mode,
        WebSockets.of(
            socket -> {
              int count = 0;
              for (MessageStream message : socket.streams()) {
                assertEquals("one two", new String(message.readAllBytes(), StandardCharsets.UTF_8));
                count++;
              }
              counts.add(count);
            }));
  }

  private void assertAllArrive(ThreadMode mode, WebSockets handler) throws Exception {
    byte[] all = messagesAndClose();
    Client client = client(mode, handler);
    for (int i = 0; i < ROUNDS; i++) {
      TestWebSocket socket = client.webSocket("/");
      socket.raw(all);
      assertEquals(MESSAGES, counts.poll(10, TimeUnit.SECONDS), "round " + i);
      assertEquals(CloseCode.NORMAL, socket.closeCode());
    }
  }

  private static byte[] messagesAndClose() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < MESSAGES; i++) {
      add(out, Frame.TEXT, false, "one ");
      add(out, Frame.CONTINUATION, true, "two");
    }
    ByteBuffer close =
        Frame.masked(Frame.CLOSE, true, false, 7, CloseCode.payload(CloseCode.NORMAL, ""));
    out.write(close.array(), close.arrayOffset(), close.remaining());
    return out.toByteArray();
  }

  private static void add(ByteArrayOutputStream out, int opcode, boolean last, String text) {
    ByteBuffer frame = Frame.masked(opcode, last, false, 7, text.getBytes(StandardCharsets.UTF_8));
    out.write(frame.array(), frame.arrayOffset(), frame.remaining());
  }
}
