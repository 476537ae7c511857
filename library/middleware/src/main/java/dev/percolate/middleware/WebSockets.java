package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.UpgradedConnection;
import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.http.ByteSize;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.CloseCode;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import dev.percolate.http.Quantity;
import dev.percolate.http.WebSocketHandshake;
import dev.percolate.middleware.socket.Preparation;
import dev.percolate.middleware.socket.SocketConnection;
import dev.percolate.middleware.socket.SocketCounts;
import dev.percolate.middleware.socket.SocketHandshake;
import dev.percolate.middleware.socket.SocketOptions;
import dev.percolate.middleware.socket.SocketThreads;
import dev.percolate.middleware.store.ClientName;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that opens WebSockets (RFC 6455). A WebSocket begins with a {@code GET} request, so
 * earlier middleware such as authentication, sessions and logging works as for other requests.
 *
 * <p>{@link #of} runs a handler for each socket on a thread that may block. With the thread mode
 * {@code event loop}, this is a virtual thread. {@link #callbacks} calls callbacks in every thread
 * mode, and uses no thread while no message arrives.
 *
 * <pre>{@code
 * app.get("/rooms/:room", members, WebSockets.of(socket -> {
 *   for (String text : socket.texts()) {
 *     socket.send(text);
 *   }
 * }).maxMessageSize("16kb"));
 * app.get("/echo", WebSockets.callbacks().onText((socket, text) -> socket.send(text)));
 * }</pre>
 *
 * <p>Requests that cannot open a socket are rejected with an {@link HttpError}: 426 for an ordinary
 * request or another WebSocket version, 400 for an invalid request, 403 for a page of another
 * origin, 429 if the client has too many sockets, 501 if the engine does not support WebSockets.
 *
 * <p>Options; each returns a changed copy:
 *
 * <pre>
 *   maxMessageSize  64kb            the maximum size of a decompressed message; larger ones close with 1009
 *   maxFrameSize    maxMessageSize  the maximum size of a frame
 *   pingInterval    30 s            the time without data after which a ping is sent
 *   idleTimeout     75 s            the time without data after which the socket is closed with 1001
 *   sendTimeout     10 s            how long a sender waits for a slow client; closes with 1013
 *   origins         its own         the origins whose pages may open sockets
 *   protocols       none            the supported subprotocols
 *   compression     true            whether messages are compressed for clients that support it
 *   maxPerClient    no limit        the maximum number of open sockets of a client
 * </pre>
 *
 * <p>On graceful shutdown of the server, sockets are closed with 1001.
 */
@CheckReturnValue
public final class WebSockets extends Copyable<WebSockets> implements Middleware {

  private final @Nullable WebSocketHandler handler;
  private @Nullable Preparation<WebSocket> joining;
  private @Nullable OnOpen onOpen;
  private @Nullable OnMessage<String> onText;
  private @Nullable OnMessage<byte[]> onBinary;
  private @Nullable OnClose onClose;
  private long maxMessageSize = 64 << 10;
  private long maxFrameSize = -1;
  private Duration pingInterval = Duration.ofSeconds(30);
  private Duration idleTimeout = Duration.ofSeconds(75);
  private Duration sendTimeout = Duration.ofSeconds(10);
  private Set<String> origins = Set.of();
  private List<String> protocols = List.of();
  private boolean compression = true;
  private int maxPerClient;
  private final SocketCounts counts = new SocketCounts();

  private WebSockets(@Nullable WebSocketHandler handler) {
    this.handler = handler;
  }

  /** A callback for new sockets. It must not block on an event loop. */
  @FunctionalInterface
  public interface OnOpen {

    /**
     * Handles a new socket.
     *
     * @param socket the socket
     * @throws Exception for any failure. It is logged, and the socket is closed with 1011. The same
     *     holds for an {@link Error}
     */
    void onOpen(WebSocket socket) throws Exception;
  }

  /**
   * A callback for messages, called for one message at a time. It must not block on an event loop.
   * While more than 64 KiB of output is unsent, no messages are read from the client.
   *
   * @param <M> the type of messages
   */
  @FunctionalInterface
  public interface OnMessage<M> {

    /**
     * Handles a message.
     *
     * @param socket the socket
     * @param message the message
     * @throws Exception for any failure. It is logged, and the socket is closed with 1011. The same
     *     holds for an {@link Error}
     */
    void onMessage(WebSocket socket, M message) throws Exception;
  }

  /** A callback for the end of a socket. */
  @FunctionalInterface
  public interface OnClose {

    /**
     * Handles the end of a socket. It must not block. If it throws, the exception is logged.
     *
     * @param socket the socket
     * @param code the close code; see {@link WebSocket#closeCode}
     * @param reason the close reason, which may be empty
     */
    void onClose(WebSocket socket, int code, String reason);
  }

  /**
   * Creates middleware that runs a handler for each socket, on a thread that may block.
   *
   * @param handler handles one socket
   */
  public static WebSockets of(WebSocketHandler handler) {
    return new WebSockets(handler);
  }

  /** Creates middleware that calls callbacks, which are set with {@link #onText} and others. */
  public static WebSockets callbacks() {
    return new WebSockets(null);
  }

  /** Sets a function that prepares each socket before its client learns that it is open. */
  WebSockets joining(Preparation<WebSocket> joining) {
    return with(copy -> copy.joining = joining);
  }

  /**
   * Sets the callback for new sockets.
   *
   * @param callback the callback
   */
  public WebSockets onOpen(OnOpen callback) {
    checkCallbacks("onOpen");
    return with(copy -> copy.onOpen = callback);
  }

  /**
   * Sets the callback for text messages. Without one, a text message closes the socket with 1003.
   *
   * @param callback the callback
   */
  public WebSockets onText(OnMessage<String> callback) {
    checkCallbacks("onText");
    return with(copy -> copy.onText = callback);
  }

  /**
   * Sets the callback for binary messages. Without one, a binary message closes the socket with
   * 1003.
   *
   * @param callback the callback
   */
  public WebSockets onBinary(OnMessage<byte[]> callback) {
    checkCallbacks("onBinary");
    return with(copy -> copy.onBinary = callback);
  }

  /**
   * Sets the callback for the end of a socket, called once for each socket. If it throws, the
   * exception is logged.
   *
   * @param callback the callback
   */
  public WebSockets onClose(OnClose callback) {
    return with(copy -> copy.onClose = callback);
  }

  /**
   * Sets the maximum size of a message after decompression. It also limits messages that are read
   * as streams. Default: 64 KiB.
   *
   * @param size a size such as {@code 64kb}, in powers of 1024
   * @throws IllegalArgumentException if the size is invalid
   */
  public WebSockets maxMessageSize(String size) {
    return with(copy -> copy.maxMessageSize = ByteSize.bytes("maxMessageSize", size));
  }

  /**
   * Sets the maximum size of a frame; a message may consist of several. Default: {@link
   * #maxMessageSize}.
   *
   * @param size a size such as {@code 16kb}, in powers of 1024
   * @throws IllegalArgumentException if the size is invalid
   */
  public WebSockets maxFrameSize(String size) {
    return with(copy -> copy.maxFrameSize = ByteSize.bytes("maxFrameSize", size));
  }

  /**
   * Sets the time without data from the client after which a ping is sent. Default: 30 s.
   *
   * @param time a time such as {@code 30 s}
   * @throws IllegalArgumentException if the time is invalid or zero
   */
  public WebSockets pingInterval(String time) {
    return with(copy -> copy.pingInterval = Options.positive("pingInterval", time));
  }

  /**
   * Sets the idle timeout: the time without data from the client after which a socket is closed. It
   * should be longer than {@link #pingInterval}, so that the client can respond to a ping. Default:
   * 75 s.
   *
   * @param time a time such as {@code 75 s}
   * @throws IllegalArgumentException if the time is invalid or zero
   */
  public WebSockets idleTimeout(String time) {
    return with(copy -> copy.idleTimeout = Options.positive("idleTimeout", time));
  }

  /**
   * Sets how long a sender waits for a client that reads too slowly. Default: 10 s.
   *
   * @param time a time such as {@code 10 s}
   * @throws IllegalArgumentException if the time is invalid or zero
   */
  public WebSockets sendTimeout(String time) {
    return with(copy -> copy.sendTimeout = Options.positive("sendTimeout", time));
  }

  /**
   * Sets other origins whose pages may open sockets. Pages of the requested host always may, unless
   * the page is http and the request https; see {@link Request#secure}. Requests without an origin
   * always may, since they do not come from a page. Default: none.
   *
   * @param allowed origins such as {@code https://example.com}, or {@code capacitor://localhost} of
   *     an app; {@code *} for all
   * @throws IllegalArgumentException if an origin is invalid
   */
  public WebSockets origins(String... allowed) {
    Set<String> checked = new LinkedHashSet<>();
    for (String origin : allowed) {
      checked.add(origin.equals("*") ? origin : Options.origin("origin", origin, ""));
    }
    return with(copy -> copy.origins = Set.copyOf(checked));
  }

  /**
   * Sets the supported subprotocols. The first supported one that a client offers is used, see
   * {@link WebSocket#protocol}. Default: none.
   *
   * @param names the names, which are tokens
   * @throws IllegalArgumentException if a name is not a token
   */
  public WebSockets protocols(String... names) {
    for (String name : names) {
      if (!WebSocketHandshake.isToken(name)) {
        throw Options.wrong("protocol", name, "must be a token");
      }
    }
    return with(copy -> copy.protocols = List.of(names));
  }

  /**
   * Sets whether messages are compressed for clients that support it (RFC 7692), each message
   * separately. Turn it off if messages contain both secrets and input of other users: the length
   * of a compressed message can reveal the secrets. Default: true.
   *
   * @param compression false to turn off compression
   */
  public WebSockets compression(boolean compression) {
    return with(copy -> copy.compression = compression);
  }

  /**
   * Sets the maximum number of sockets that a client may have open at this handler. Further
   * requests get 429. Clients are identified by their address, as with {@link RateLimit}. Default:
   * no limit.
   *
   * @param sockets the maximum number
   * @throws IllegalArgumentException if the number is not positive
   */
  public WebSockets maxPerClient(int sockets) {
    return with(copy -> copy.maxPerClient = Quantity.atLeast("maxPerClient", 1, sockets));
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    SocketHandshake handshake = SocketHandshake.of(req, res, origins, protocols, compression);
    boolean waits = handler == null || req.mayBlock() || VirtualThreads.available();
    if (!waits) {
      throw new IllegalStateException(
          "WebSockets.of(…) would block the event loop; use WebSockets.callbacks()");
    }
    String client = maxPerClient == 0 ? null : ClientName.ofAddress(req);
    if (client != null && !counts.enter(client, maxPerClient)) {
      throw new HttpError(429, "this client has too many open sockets", "websocket.crowd", null);
    }
    Preparation.Joined<WebSocket> joined = null;
    try {
      Preparation.Joined<WebSocket> prepared = joining == null ? null : joining.join(req);
      joined = prepared;
      handshake.answer(req, res);
      res.upgrade(connection -> begin(req, handshake, connection, client, prepared));
    } catch (Throwable e) {
      counts.leave(client);
      if (joined != null) {
        joined.cancelled().run();
      }
      throw e;
    }
  }

  private void begin(
      Request req,
      SocketHandshake handshake,
      UpgradedConnection upgraded,
      @Nullable String client,
      Preparation.@Nullable Joined<WebSocket> joined) {
    long frame = maxFrameSize < 0 ? maxMessageSize : maxFrameSize;
    SocketOptions options =
        new SocketOptions(
            maxMessageSize,
            frame,
            pingInterval,
            idleTimeout,
            sendTimeout,
            !handshake.extension().isEmpty());
    SocketConnection connection = new SocketConnection(upgraded, options);
    connection.onEnd(() -> counts.leave(client));
    try {
      begin(req, handshake, upgraded, connection, joined);
    } catch (Throwable e) { // otherwise its resources are never released
      connection.abandon();
      if (joined != null) {
        joined.cancelled().run();
      }
      throw e;
    }
  }

  private void begin(
      Request req,
      SocketHandshake handshake,
      UpgradedConnection upgraded,
      SocketConnection connection,
      Preparation.@Nullable Joined<WebSocket> joined) {
    BodyMemory memory = upgraded.reservation().memory();
    MessageAssembly assembly =
        new MessageAssembly(maxMessageSize, () -> memory.share().reservation());
    WebSocket socket = new WebSocket(req, handshake, connection, assembly);
    connection.onEnd(req.onShutdown(() -> socket.close(CloseCode.GOING_AWAY, "server shutdown")));
    if (onClose != null) {
      OnClose callback = onClose;
      connection.onEnd(() -> callback.onClose(socket, socket.closeCode(), socket.closeReason()));
    }
    if (joined != null) {
      joined.begun().accept(socket);
    }
    WebSocketHandler holds = handler;
    if (holds == null) {
      callBack(socket, assembly);
    } else if (upgraded.mayBlock()) {
      connection.begin(null);
      SocketThreads.hold(() -> hold(holds, socket));
    } else {
      connection.begin(null);
      SocketThreads.execute(() -> hold(holds, socket));
    }
  }

  private void callBack(WebSocket socket, MessageAssembly assembly) {
    try {
      if (onOpen != null) {
        onOpen.onOpen(socket);
      }
    } catch (Throwable e) { // an Error too: the socket must start so that it can end
      SocketCallbacks.failed(socket, e);
    }
    SocketCallbacks callbacks =
        new SocketCallbacks(
            socket,
            assembly,
            onText == null ? null : onText::onMessage,
            onBinary == null ? null : onBinary::onMessage,
            new AtomicInteger());
    socket.connection().begin(callbacks::notified);
  }

  private static void hold(WebSocketHandler handler, WebSocket socket) {
    try {
      handler.handle(socket);
      socket.close();
    } catch (Throwable e) {
      SocketCallbacks.failed(socket, e);
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
    } finally {
      socket.release();
    }
  }

  private void checkCallbacks(String option) {
    if (handler != null) {
      throw new IllegalStateException(
          option + "(…) needs WebSockets.callbacks(), not WebSockets.of(…)");
    }
  }
}
