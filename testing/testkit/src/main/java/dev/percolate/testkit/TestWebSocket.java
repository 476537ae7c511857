package dev.percolate.testkit;

import dev.percolate.http.CloseCode;
import dev.percolate.http.Frame;
import dev.percolate.http.FrameReader;
import dev.percolate.http.MessageDeflater;
import dev.percolate.http.MessageInflater;
import dev.percolate.http.Utf8;
import dev.percolate.http.WebSocketException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The client side of a WebSocket, in memory or over a socket. Created by {@link Client#webSocket}.
 *
 * <p>Methods that wait do so for at most 10 seconds, then throw an {@link AssertionError}. An
 * invalid frame from the server is an error, too. While a method waits, pings of the server get a
 * pong.
 *
 * <pre>
 *   TestWebSocket socket = client.webSocket("/rooms/1");
 *   socket.send("hello");
 *   assertEquals("hello", socket.text());
 *   socket.close(1000, "");
 *   assertEquals(1000, socket.closeCode());
 * </pre>
 */
public final class TestWebSocket implements AutoCloseable {

  private static final int MASK = 0x37FA213D;
  private static final int MOST = 1 << 30;

  private final OpenCall line;
  private final Incoming incoming = new Incoming();
  private @Nullable FrameReader frames;
  private boolean compresses;
  private int read;

  TestWebSocket(OpenCall line) {
    this.line = line;
  }

  /** Received messages and control frames that were not yet requested. */
  private static final class Incoming implements FrameReader.Listener {

    private final Deque<byte[]> texts = new ArrayDeque<>();
    private final Deque<byte[]> binaries = new ArrayDeque<>();
    private final Deque<byte[]> pongs = new ArrayDeque<>();
    private final Deque<byte[]> pings = new ArrayDeque<>();
    private ByteArrayOutputStream message = new ByteArrayOutputStream();
    private boolean text;
    private boolean compressed;
    private int pingsSeen;
    private int code;
    private String reason = "";

    @Override
    public void begin(boolean isText, boolean isCompressed) {
      text = isText;
      compressed = isCompressed;
      message = new ByteArrayOutputStream();
    }

    @Override
    public void data(ByteBuffer piece, boolean last) {
      byte[] bytes = new byte[piece.remaining()];
      piece.get(bytes);
      message.writeBytes(bytes);
      if (last) {
        byte[] whole = message.toByteArray();
        (text ? texts : binaries).add(compressed ? inflated(whole) : whole);
      }
    }

    @Override
    public void ping(byte[] payload) {
      pings.add(payload);
      pingsSeen++;
    }

    @Override
    public void pong(byte[] payload) {
      pongs.add(payload);
    }

    @Override
    public void close(int with, String why) {
      code = with;
      reason = why;
    }

    private static byte[] inflated(byte[] whole) {
      try {
        return MessageInflater.whole(whole, MOST);
      } catch (WebSocketException e) {
        throw new AssertionError("the server sent an invalid message: " + e.reason(), e);
      }
    }
  }

  /** Waits for the head of the response; its status code is 101 if the WebSocket is open. */
  public Reply head() {
    return line.answer().head();
  }

  /**
   * Sends a text message.
   *
   * @param text the text
   * @return this socket
   */
  public TestWebSocket send(String text) {
    return message(Frame.TEXT, Utf8.bytes(text));
  }

  /**
   * Sends a binary message.
   *
   * @param bytes the bytes
   * @return this socket
   */
  public TestWebSocket send(byte[] bytes) {
    return message(Frame.BINARY, bytes);
  }

  /**
   * Sends a frame, even if it is invalid.
   *
   * @param opcode the opcode
   * @param last whether it is the last frame of its message
   * @param payload the payload
   * @return this socket
   */
  public TestWebSocket frame(int opcode, boolean last, byte[] payload) {
    return raw(bytes(Frame.masked(opcode, last, false, MASK, payload)));
  }

  /**
   * Sends bytes unchanged, without a frame.
   *
   * @param bytes the bytes
   * @return this socket
   */
  public TestWebSocket raw(byte[] bytes) {
    line.send(bytes.clone());
    return this;
  }

  /**
   * Sends a ping.
   *
   * @param payload the payload
   * @return this socket
   */
  public TestWebSocket ping(String payload) {
    return frame(Frame.PING, true, Utf8.bytes(payload));
  }

  /** Waits for the next text message. */
  public String text() {
    return new String(next(incoming.texts, "text"), StandardCharsets.UTF_8);
  }

  /** Waits for the next binary message. */
  public byte[] bytes() {
    return next(incoming.binaries, "binary message");
  }

  /** Waits for the next pong, and returns its payload. */
  public String pong() {
    return new String(next(incoming.pongs, "pong"), StandardCharsets.UTF_8);
  }

  /** Waits until the server sends a ping. Pings that arrived before the call do not count. */
  public void awaitPing() {
    int seen = incoming.pingsSeen;
    while (incoming.pingsSeen == seen) {
      if (!readOn()) {
        throw new AssertionError("the connection ended without a ping");
      }
    }
  }

  /**
   * Sends a close frame.
   *
   * @param code the close code
   * @param reason the reason; may be empty
   * @return this socket
   */
  public TestWebSocket close(int code, String reason) {
    return frame(Frame.CLOSE, true, CloseCode.payload(code, reason));
  }

  /**
   * Waits for the close frame of the server.
   *
   * @return the close code; 1005 if the frame has none, 1006 if the connection ends without a frame
   */
  public int closeCode() {
    while (incoming.code == 0 && readOn()) {
      // read up to the close frame
    }
    return incoming.code == 0 ? CloseCode.ABNORMAL : incoming.code;
  }

  /** Waits for the close frame of the server, and returns its reason; empty if there is none. */
  public String closeReason() {
    closeCode();
    return incoming.reason;
  }

  /** Waits until the connection has ended. */
  public void awaitEnd() {
    while (readOn()) {
      // read to the end
    }
    line.settle();
  }

  /** Stops reading. Further bytes from the server fill the buffers of the connection. */
  public void pause() {
    line.pause(true);
  }

  /** Resumes reading. */
  public void resume() {
    line.pause(false);
  }

  /** Ends the output of this side without a close frame. */
  public void finish() {
    line.finish();
  }

  /** Closes the connection immediately. */
  public void disconnect() {
    line.disconnect();
  }

  /** Closes the connection, as {@link #disconnect} does. */
  @Override
  public void close() {
    disconnect();
  }

  private TestWebSocket message(int opcode, byte[] content) {
    frames();
    byte[] payload = compresses ? MessageDeflater.whole(content) : content;
    return raw(bytes(Frame.masked(opcode, true, compresses, MASK, payload)));
  }

  private byte[] next(Deque<byte[]> from, String what) {
    while (from.isEmpty()) {
      if (!readOn()) {
        throw new AssertionError(
            "no " + what + ": closed with " + closeCode() + " \"" + incoming.reason + "\"");
      }
    }
    return from.remove();
  }

  /** Waits for more bytes and reads them. Returns false at the end. */
  private boolean readOn() {
    FrameReader reader = frames();
    byte[] more = line.answer().more(read);
    read += more.length;
    try {
      reader.read(ByteBuffer.wrap(more), incoming);
    } catch (WebSocketException e) {
      throw new AssertionError("the server sent an invalid frame: " + e.reason(), e);
    }
    for (byte[] ping = incoming.pings.poll(); ping != null; ping = incoming.pings.poll()) {
      frame(Frame.PONG, true, ping);
    }
    return more.length > 0;
  }

  private FrameReader frames() {
    FrameReader known = frames;
    if (known == null) {
      Reply head = head();
      if (head.status() != 101) {
        throw new AssertionError("the server did not open a WebSocket: " + head);
      }
      compresses = head.header("Sec-WebSocket-Extensions") != null;
      known = new FrameReader(false, compresses, MOST, MOST);
      frames = known;
    }
    return Objects.requireNonNull(known);
  }

  private static byte[] bytes(ByteBuffer frame) {
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return bytes;
  }
}
