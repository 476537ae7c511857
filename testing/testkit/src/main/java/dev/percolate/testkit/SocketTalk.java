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
 * The client's side of a WebSocket, in memory or over a socket; {@link Client#webSocket} begins
 * one.
 *
 * <p>Methods that wait do so for 10 s at most, and then throw an {@link AssertionError}. What the
 * server sends is checked: a frame against the rules is an error, too. Pings of the server are
 * answered when something is waited for; so is a frame that closes.
 *
 * <pre>
 *   SocketTalk socket = client.webSocket("/rooms/1");
 *   socket.send("hello");
 *   assertEquals("hello", socket.text());
 *   socket.close(1000, "");
 *   assertEquals(1000, socket.closeCode());
 * </pre>
 */
public final class SocketTalk implements AutoCloseable {

  private static final int MASK = 0x37FA213D;
  private static final int MOST = 1 << 30;

  private final Line line;
  private final Incoming incoming = new Incoming();
  private @Nullable FrameReader frames;
  private boolean compresses;
  private int read;

  SocketTalk(Line line) {
    this.line = line;
  }

  /** What has come and has not been asked for. */
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
        throw new AssertionError("the server has sent " + e.reason(), e);
      }
    }
  }

  /** Waits for the head of the answer, with status 101 if a socket has begun. */
  public Reply head() {
    return line.answer().head();
  }

  /**
   * Sends a text.
   *
   * @param text the text
   * @return this socket
   */
  public SocketTalk send(String text) {
    return message(Frame.TEXT, Utf8.bytes(text));
  }

  /**
   * Sends bytes.
   *
   * @param bytes the bytes
   * @return this socket
   */
  public SocketTalk send(byte[] bytes) {
    return message(Frame.BINARY, bytes);
  }

  /**
   * Sends a frame, whether it is allowed or not.
   *
   * @param opcode its opcode
   * @param last whether its message ends with it
   * @param payload its content
   * @return this socket
   */
  public SocketTalk frame(int opcode, boolean last, byte[] payload) {
    return raw(bytes(Frame.masked(opcode, last, false, MASK, payload)));
  }

  /**
   * Sends bytes as they are.
   *
   * @param bytes the bytes
   * @return this socket
   */
  public SocketTalk raw(byte[] bytes) {
    line.send(bytes.clone());
    return this;
  }

  /**
   * Sends a ping.
   *
   * @param payload its content
   * @return this socket
   */
  public SocketTalk ping(String payload) {
    return frame(Frame.PING, true, Utf8.bytes(payload));
  }

  /** Waits for the next text. */
  public String text() {
    return new String(next(incoming.texts, "text"), StandardCharsets.UTF_8);
  }

  /** Waits for the next message of bytes. */
  public byte[] bytes() {
    return next(incoming.binaries, "message of bytes");
  }

  /** Waits for the next answer to a ping, and returns its content. */
  public String pong() {
    return new String(next(incoming.pongs, "pong"), StandardCharsets.UTF_8);
  }

  /** Waits until the server has sent a ping, one more than it had when this was called last. */
  public void awaitPing() {
    int seen = incoming.pingsSeen;
    while (incoming.pingsSeen == seen) {
      if (!readOn()) {
        throw new AssertionError("the connection ended without a ping");
      }
    }
  }

  /**
   * Sends a frame that closes.
   *
   * @param code its code
   * @param reason its text, perhaps empty
   * @return this socket
   */
  public SocketTalk close(int code, String reason) {
    return frame(Frame.CLOSE, true, CloseCode.payload(code, reason));
  }

  /**
   * Waits for the frame by which the server closes.
   *
   * @return its code; 1005 if it has none, 1006 if the connection ends without one
   */
  public int closeCode() {
    while (incoming.code == 0 && readOn()) {
      // until it is there
    }
    return incoming.code == 0 ? CloseCode.ABNORMAL : incoming.code;
  }

  /** Waits as {@link #closeCode} does, and returns the text beside the code. */
  public String closeReason() {
    closeCode();
    return incoming.reason;
  }

  /** Waits until the connection has ended. */
  public void awaitEnd() {
    while (readOn()) {
      // until then
    }
    line.settle();
  }

  /** Stops reading: what the server sends from now on fills the connection's buffers. */
  public void pause() {
    line.pause(true);
  }

  /** Reads on. */
  public void resume() {
    line.pause(false);
  }

  /** Ends what this side sends, without closing. */
  public void finish() {
    line.finish();
  }

  /** Closes the connection at once. */
  public void hangUp() {
    line.hangUp();
  }

  /** Hangs up; the same as {@link #hangUp}. */
  @Override
  public void close() {
    hangUp();
  }

  private SocketTalk message(int opcode, byte[] content) {
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

  /** Waits for more, and reads it; returns false at the end. */
  private boolean readOn() {
    FrameReader reader = frames();
    byte[] more = line.answer().more(read);
    read += more.length;
    try {
      reader.read(ByteBuffer.wrap(more), incoming);
    } catch (WebSocketException e) {
      throw new AssertionError("the server has sent " + e.reason(), e);
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
        throw new AssertionError("no socket has begun: " + head);
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
