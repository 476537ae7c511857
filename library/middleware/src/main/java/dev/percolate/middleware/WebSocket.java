package dev.percolate.middleware;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import dev.percolate.core.store.SessionStore;
import dev.percolate.http.CloseCode;
import dev.percolate.http.Frame;
import dev.percolate.http.Utf8;
import dev.percolate.http.WebSocketException;
import dev.percolate.middleware.session.SessionEndHooks;
import dev.percolate.middleware.socket.FragmentStream;
import dev.percolate.middleware.socket.SharedFrame;
import dev.percolate.middleware.socket.SocketConnection;
import dev.percolate.middleware.socket.SocketHandshake;
import dev.percolate.middleware.socket.SocketInput;
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
 * A WebSocket connection to a client, created by {@link WebSockets}.
 *
 * <p>Any thread may send messages and close the socket. One thread at a time receives messages:
 * with the blocking methods of this class, or in the callbacks of {@link WebSockets#callbacks()}.
 * Pings get a pong automatically.
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

  /** Returns the request that opened the socket, with its parameters, session and attributes. */
  public Request req() {
    return req;
  }

  /** Returns the negotiated subprotocol; empty for none. */
  public String protocol() {
    return handshake.protocol();
  }

  /**
   * Returns true if neither side has closed the socket, and the connection is not known to be lost.
   */
  public boolean isOpen() {
    return connection.isOpen();
  }

  /**
   * Returns the text messages. The iterator waits for each message and ends with the socket. A
   * binary message closes the socket with 1003.
   *
   * @throws IllegalStateException during iteration on an event loop, which must not block
   */
  public Iterable<String> texts() {
    return () -> new Incoming<>(this::nextText);
  }

  /** Returns the text and binary messages. The iterator waits for each; see {@link #texts}. */
  public Iterable<WebSocketMessage> messages() {
    return () -> new Incoming<>(this::receive);
  }

  /**
   * Returns the messages as streams, so that long messages are not held in memory; see {@link
   * #texts}.
   */
  public Iterable<MessageStream> streams() {
    return () -> new Incoming<>(this::nextStream);
  }

  /**
   * Waits for the next message.
   *
   * @return the message; null if the socket has ended
   * @throws IllegalStateException on an event loop, which must not block
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
      connection.reject(e);
    }
    assembly.drop();
    return null;
  }

  /**
   * Sends a text message. Waits while the client reads too slowly. After the time of {@link
   * WebSockets#sendTimeout}, closes the socket with 1013. On an event loop, it does not wait, but
   * closes the socket if more than 1 MiB is unsent.
   *
   * @param text the text
   * @return this socket
   * @throws IOException if the socket has ended, or the client is too slow
   */
  public WebSocket send(String text) throws IOException {
    return send(Frame.TEXT, Utf8.bytes(text));
  }

  /**
   * Sends a binary message; see {@link #send(String)}.
   *
   * @param bytes the bytes
   * @return this socket
   * @throws IOException if the socket has ended, or the client is too slow
   */
  public WebSocket send(byte[] bytes) throws IOException {
    return send(Frame.BINARY, bytes);
  }

  /**
   * Sends a value as JSON, in a text message; see {@link #send(String)}.
   *
   * @param value the value
   * @return this socket
   * @throws IOException if the socket has ended, or the client is too slow
   */
  public WebSocket json(@Nullable Object value) throws IOException {
    return send(req.settings().jsonCodec().write(value, JsonCodec.WriteOptions.COMPACT));
  }

  /**
   * Returns a writer that sends one text message in fragments. Closing the writer ends the message;
   * until then, other messages wait.
   */
  public Writer textWriter() {
    return new OutputStreamWriter(fragments(Frame.TEXT), StandardCharsets.UTF_8);
  }

  /** Returns a stream that sends one binary message in fragments; see {@link #textWriter}. */
  public OutputStream binaryStream() {
    return fragments(Frame.BINARY);
  }

  /** Closes the socket with 1000, the code for a normal end. */
  public void close() {
    close(CloseCode.NORMAL, "");
  }

  /**
   * Closes the socket: no more messages are received or sent. Does nothing if the socket is closed.
   *
   * @param code the close code, such as 1000, or 3000 to 4999 for applications
   * @param reason the reason, which may be empty; truncated to 123 bytes
   * @throws IllegalArgumentException if the code must not be sent (RFC 6455 section 7.4)
   */
  public void close(int code, String reason) {
    connection.close(code, reason);
  }

  /**
   * Closes the socket with 1008 when a session ends: immediately if this process ends it, for
   * example by a logout; at the time of the next ping if it expires or another process ends it.
   * Loads the session.
   *
   * @param session the session
   * @return this socket
   */
  public WebSocket closeWith(Session session) {
    String handle = SessionStore.handle(session.id());
    Runnable forget = SessionEndHooks.add(handle, this::closeBySession);
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
   * Adds a hook that runs when the socket has ended, or immediately if it has. The hook runs on any
   * thread and must not block. If it throws, the exception is logged and the other hooks run.
   *
   * @param hook the hook
   * @return this socket
   */
  public WebSocket onClose(Runnable hook) {
    connection.onEnd(hook);
    return this;
  }

  /**
   * Returns the close code of the side that closed first: 1005 if the client sent none, 1006 if the
   * connection ended without a close frame or is still open.
   */
  public int closeCode() {
    return connection.code();
  }

  /** Returns the reason sent with {@link #closeCode}, which may be empty. */
  public String closeReason() {
    return connection.reason();
  }

  /** Returns the method and URL of the request. */
  @Override
  public String toString() {
    return "WebSocket of " + req.method() + " " + req.originalUrl();
  }

  /**
   * Returns the time of the request, before the client could know that the socket is open, by
   * {@link System#nanoTime}.
   */
  long asked() {
    return handshake.asked();
  }

  SocketConnection connection() {
    return connection;
  }

  /**
   * Queues a shared message without blocking.
   *
   * @return false if the queue is full
   */
  boolean offer(SharedFrame frame, long most) {
    return connection.output().offer(frame.of(connection.options().compressed()), most);
  }

  /** Closes the socket because the client reads shared messages too slowly. */
  void drop() {
    connection.tooSlow();
  }

  /** Releases the memory of a partially read message. */
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
      connection.reject(new WebSocketException(CloseCode.UNSUPPORTED, "only text is accepted"));
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
                connection.input(),
                piece,
                connection.options().maxMessageSize(),
                connection::reject);
    stream = next;
    return next;
  }

  /** Skips the rest of a message that is read as a stream. */
  private void skipStream() {
    MessageStream open = stream;
    stream = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // the connection has ended; reading the next message will show that
      }
    }
  }

  private void checkWaits() {
    if (!connection.connection().mayBlock()) {
      throw new IllegalStateException(
          "waiting for a message would block the event loop; use WebSockets.callbacks()");
    }
  }

  private void closeBySession() {
    close(CloseCode.POLICY, "the session has ended");
  }

  /** Iterates over the messages until the socket ends. */
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
