package dev.percolate.middleware;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import dev.percolate.http.CloseCode;
import dev.percolate.http.Frame;
import dev.percolate.http.Utf8;
import dev.percolate.http.WebSocketException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A conversation with one client over a WebSocket; {@link WebSockets} creates one for each.
 *
 * <p>Any thread may send and close. Messages are taken by one thread at a time: by the methods that
 * wait here, or by the callbacks of {@link WebSockets#on()}. Pings are answered by themselves.
 *
 * <pre>{@code
 * for (String text : socket.texts()) {     // ends with the connection
 *   socket.send("you said " + text);
 * }
 * }</pre>
 */
public final class WebSocket {

  private final Request req;
  private final SocketHandshake handshake;
  private final SocketConnection connection;
  private final MessageAssembly assembly;
  private @Nullable MessageStream stream;

  WebSocket(
      Request req,
      SocketHandshake handshake,
      SocketConnection connection,
      MessageAssembly assembly) {
    this.req = req;
    this.handshake = handshake;
    this.connection = connection;
    this.assembly = assembly;
  }

  /** Returns the request by which it began: with its parameters, session and attributes. */
  public Request req() {
    return req;
  }

  /** Returns the subprotocol that was agreed upon; empty for none. */
  public String protocol() {
    return handshake.protocol();
  }

  /** Tells whether neither side has closed, and the connection stands as far as is known. */
  public boolean isOpen() {
    return connection.isOpen();
  }

  /**
   * Returns the texts that come, each waited for. It ends when the socket does, whatever the
   * reason; a message of bytes closes the socket with 1003.
   *
   * @throws IllegalStateException while waiting on an event loop, which must not
   */
  public Iterable<String> texts() {
    return () -> new Incoming<>(this::nextText);
  }

  /** Returns the messages of both kinds that come, each waited for; see {@link #texts}. */
  public Iterable<WebSocketMessage> messages() {
    return () -> new Incoming<>(this::receive);
  }

  /**
   * Returns the messages that come, each as a stream, so that long ones need not be in memory; see
   * {@link #texts}.
   */
  public Iterable<MessageStream> streams() {
    return () -> new Incoming<>(this::nextStream);
  }

  /**
   * Waits for the next message.
   *
   * @return the message; null if the socket has ended
   * @throws IllegalStateException on an event loop, which must not wait
   */
  public @Nullable WebSocketMessage receive() {
    checkWaits();
    skipStream();
    try {
      for (SocketInput.Piece piece = connection.input().take();
          piece != null;
          piece = connection.input().take()) {
        WebSocketMessage message = assembly.add(piece);
        if (message != null) {
          return message;
        }
      }
    } catch (WebSocketException e) {
      connection.refuse(e);
    }
    assembly.drop();
    return null;
  }

  /**
   * Sends a text. Waits while the other side is slow, up to the deadline of {@link
   * WebSockets#patience}, and then closes with 1013; on an event loop that is so once 1 MiB waits.
   *
   * @param text the text
   * @return this socket
   * @throws IOException if the socket has ended, or the other side is too slow
   */
  public WebSocket send(String text) throws IOException {
    return send(Frame.TEXT, Utf8.bytes(text));
  }

  /**
   * Sends bytes; see {@link #send(String)}.
   *
   * @param bytes the bytes
   * @return this socket
   * @throws IOException if the socket has ended, or the other side is too slow
   */
  public WebSocket send(byte[] bytes) throws IOException {
    return send(Frame.BINARY, bytes);
  }

  /**
   * Sends a value as JSON, by the codec of the application; see {@link #send(String)}.
   *
   * @param value the value
   * @return this socket
   * @throws IOException if the socket has ended, or the other side is too slow
   */
  public WebSocket json(@Nullable Object value) throws IOException {
    return send(req.settings().jsonCodec().write(value, JsonCodec.Style.COMPACT));
  }

  /**
   * Returns a writer of one text in fragments; closing it ends the message. Until then other
   * messages are held back.
   */
  public Writer textWriter() {
    return new OutputStreamWriter(fragments(Frame.TEXT), StandardCharsets.UTF_8);
  }

  /** Returns a stream of one message of bytes in fragments; see {@link #textWriter}. */
  public OutputStream binaryStream() {
    return fragments(Frame.BINARY);
  }

  /** Closes with 1000: the conversation is over. */
  public void close() {
    close(CloseCode.NORMAL, "");
  }

  /**
   * Closes: nothing more is taken or sent. Does nothing if the socket has been closed.
   *
   * @param code why, such as 1000, or 3000 to 4999 with a meaning of one's own
   * @param reason a text of 123 bytes at most, the rest is cut off; perhaps empty
   * @throws IllegalArgumentException if the code may not be sent (RFC 6455 section 7.4)
   */
  public void close(int code, String reason) {
    connection.close(code, reason);
  }

  /**
   * Closes with 1008 when a session ends: at once when this process ends it, such as by a log-out;
   * by the next ping when it has expired, or another process has ended it.
   *
   * @param session the session
   * @return this socket
   */
  public WebSocket closeWith(Session session) {
    Runnable forget = SessionEnds.add(session.id(), this::closeBySession);
    connection.onEnd(forget);
    if (session.isStored()) {
      connection.check(
          () -> {
            if (!session.isThere()) {
              closeBySession();
            }
          });
    }
    return this;
  }

  /**
   * Registers what is to be done when the socket has ended; at once if it has. It runs on any
   * thread and must not wait. If it throws, the exception is logged and the other hooks run.
   *
   * @param hook the hook
   * @return this socket
   */
  public WebSocket onEnd(Runnable hook) {
    connection.onEnd(hook);
    return this;
  }

  /**
   * Returns the code by which the socket was closed, that of the other side if that was first: 1005
   * if it gave none, 1006 if the connection ended without being closed, or still stands.
   */
  public int closeCode() {
    return connection.code();
  }

  /** Returns the text beside {@link #closeCode}, perhaps empty. */
  public String closeReason() {
    return connection.reason();
  }

  /** Returns which request it began with. */
  @Override
  public String toString() {
    return "WebSocket of " + req.method() + " " + req.originalUrl();
  }

  /**
   * Returns a time before the client could know that the socket is open, by {@link
   * System#nanoTime}.
   */
  long asked() {
    return handshake.asked();
  }

  SocketConnection connection() {
    return connection;
  }

  /**
   * Sends a shared message without waiting, unless too much waits already.
   *
   * @return false if too much does
   */
  boolean offer(SharedFrame frame, long most) {
    return connection.output().offer(frame.of(connection.options().compressed()), most);
  }

  /** Closes, since the other side does not take what all get. */
  void drop() {
    connection.tooSlow();
  }

  /** Gives back what a half-read message holds. */
  void release() {
    skipStream();
    assembly.drop();
  }

  private WebSocket send(int opcode, byte[] content) throws IOException {
    boolean compressed = connection.options().compressed();
    ByteBuffer frame = new SharedFrame(opcode, content).of(compressed);
    connection.output().send(frame.duplicate());
    return this;
  }

  private FragmentStream fragments(int opcode) {
    return new FragmentStream(connection.output(), opcode, connection.options().compressed());
  }

  private @Nullable String nextText() {
    WebSocketMessage message = receive();
    if (message != null && !message.isText()) {
      connection.refuse(new WebSocketException(CloseCode.UNSUPPORTED, "texts alone are taken"));
      return null;
    }
    return message == null ? null : message.text();
  }

  private @Nullable MessageStream nextStream() {
    checkWaits();
    skipStream();
    SocketInput.Piece piece = connection.input().take();
    MessageStream next =
        piece == null
            ? null
            : new MessageStream(
                connection.input(), piece, connection.options().maxMessage(), connection::refuse);
    stream = next;
    return next;
  }

  /** Skips what is left of a message that was taken as a stream. */
  private void skipStream() {
    MessageStream open = stream;
    stream = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // the connection has ended, as whoever asks for the next message learns
      }
    }
  }

  private void checkWaits() {
    if (!connection.connection().mayBlock()) {
      throw new IllegalStateException(
          "waiting for a message would block the event loop; use WebSockets.on()");
    }
  }

  private void closeBySession() {
    close(CloseCode.POLICY, "the session has ended");
  }

  /** Goes through what comes, until nothing does. */
  private static final class Incoming<T> implements Iterator<T> {

    private final Supplier<@Nullable T> source;
    private @Nullable T next;
    private boolean over;

    Incoming(Supplier<@Nullable T> source) {
      this.source = source;
    }

    @Override
    public boolean hasNext() {
      if (next == null && !over) {
        next = source.get();
        over = next == null;
      }
      return next != null;
    }

    @Override
    public T next() {
      T found = hasNext() ? next : null;
      if (found == null) {
        throw new NoSuchElementException("the socket has ended");
      }
      next = null;
      return found;
    }
  }
}
