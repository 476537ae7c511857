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
import dev.percolate.http.TimeSpan;
import dev.percolate.http.WebSocketHandshake;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Begins conversations over WebSockets (RFC 6455), at the end of the chain of an ordinary {@code
 * GET}: guards, sessions and loggers in front of it work as for any request.
 *
 * <p>{@link #of} holds each conversation on a thread that may wait, in the mode {@code event loop}
 * on a virtual thread of its own. {@link #on} calls back, in every thread mode, and needs no thread
 * while nothing comes.
 *
 * <pre>{@code
 * app.get("/rooms/:room", Auth::required, WebSockets.of(socket -> {
 *   for (String text : socket.texts()) {
 *     socket.send(text);
 *   }
 * }).maxMessage("16kb"));
 * app.get("/echo", WebSockets.on().text((socket, text) -> socket.send(text)));
 * }</pre>
 *
 * <p>A request that begins no socket is refused by an {@link HttpError}: 426 if it is an ordinary
 * one or of another version, 400 if it is ill-formed, 403 if a page of another origin sends it, 429
 * for a client that has too many, 501 on an engine that hands no connections over. It is its own
 * options; each gives a changed copy:
 *
 * <pre>
 *   maxMessage   64kb       the most bytes of a message, inflated; more closes with 1009
 *   maxFrame     maxMessage the most bytes of a frame
 *   ping         30 s       the silence after which the client is asked whether it is there
 *   idle         75 s       the silence after which the socket is closed, with 1001
 *   patience     10 s       how long a sender waits for a slow client, then 1013
 *   origins      its own    whose pages may begin sockets
 *   protocols    none       the subprotocols that are spoken
 *   compression  true       whether messages are compressed for clients that can do that
 *   perClient    no limit   how many sockets a client may have at once
 * </pre>
 *
 * <p>When the server is closed, sockets are closed with 1001.
 */
@CheckReturnValue
public final class WebSockets extends Copyable<WebSockets> implements Middleware {

  private static final long DEFAULT_MESSAGE = 64 << 10;
  private static final Duration DEFAULT_PING = Duration.ofSeconds(30);
  private static final Duration DEFAULT_IDLE = Duration.ofSeconds(75);
  private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(10);
  private static final Duration GOODBYE = Duration.ofSeconds(5);

  private final @Nullable WebSocketHandler handler;
  private @Nullable Joining<WebSocket> joining;
  private @Nullable OnOpen open;
  private @Nullable OnMessage<String> text;
  private @Nullable OnMessage<byte[]> binary;
  private @Nullable OnClose close;
  private long maxMessage = DEFAULT_MESSAGE;
  private long maxFrame = -1;
  private Duration ping = DEFAULT_PING;
  private Duration idle = DEFAULT_IDLE;
  private Duration patience = DEFAULT_PATIENCE;
  private Set<String> origins = Set.of();
  private List<String> protocols = List.of();
  private boolean compression = true;
  private int perClient;
  private final SocketCounts counts = new SocketCounts();

  private WebSockets(@Nullable WebSocketHandler handler) {
    this.handler = handler;
  }

  /** Is called when a socket has begun; must not wait on an event loop. */
  @FunctionalInterface
  public interface OnOpen {

    /**
     * Takes note of a new socket.
     *
     * @param socket the socket
     * @throws Exception for any failure, which is logged: the socket is closed with 1011, as after
     *     an {@link Error}
     */
    void opened(WebSocket socket) throws Exception;
  }

  /**
   * Is called with each message, one after the other; must not wait on an event loop. While more
   * than 64 KiB wait for the client, none is taken of it, as long as its patience lasts.
   *
   * @param <M> the kind of message
   */
  @FunctionalInterface
  public interface OnMessage<M> {

    /**
     * Takes a message.
     *
     * @param socket the socket
     * @param message the message
     * @throws Exception for any failure, which is logged: the socket is closed with 1011, as after
     *     an {@link Error}
     */
    void take(WebSocket socket, M message) throws Exception;
  }

  /** Is called once when a socket has ended. */
  @FunctionalInterface
  public interface OnClose {

    /**
     * Handles the end of a socket; must not wait. If it throws, the exception is logged.
     *
     * @param socket the socket
     * @param code the code it was closed by; see {@link WebSocket#closeCode}
     * @param reason the text beside the code, perhaps empty
     */
    void closed(WebSocket socket, int code, String reason);
  }

  /**
   * Holds conversations, each on a thread that may wait.
   *
   * @param handler holds one
   */
  public static WebSockets of(WebSocketHandler handler) {
    return new WebSockets(handler);
  }

  /** Holds conversations by callbacks, which {@link #text} and the like choose. */
  public static WebSockets on() {
    return new WebSockets(null);
  }

  /** Prepares each socket before its client learns that it is open. */
  WebSockets joining(Joining<WebSocket> joining) {
    return with(copy -> copy.joining = joining);
  }

  /**
   * Chooses what is called when a socket has begun.
   *
   * @param callback the callback
   */
  public WebSockets open(OnOpen callback) {
    checkCallbacks("open");
    return with(copy -> copy.open = callback);
  }

  /**
   * Chooses what is called with texts; without it a text closes the socket with 1003.
   *
   * @param callback the callback
   */
  public WebSockets text(OnMessage<String> callback) {
    checkCallbacks("text");
    return with(copy -> copy.text = callback);
  }

  /**
   * Chooses what is called with messages of bytes; without it one closes the socket with 1003.
   *
   * @param callback the callback
   */
  public WebSockets binary(OnMessage<byte[]> callback) {
    checkCallbacks("binary");
    return with(copy -> copy.binary = callback);
  }

  /**
   * Chooses what is called when a socket has ended, once for each that has begun. If it throws, the
   * exception is logged and nothing else is affected.
   *
   * @param callback the callback
   */
  public WebSockets close(OnClose callback) {
    return with(copy -> copy.close = callback);
  }

  /**
   * Chooses the most bytes of a message; of a compressed one they count inflated, of one that is
   * taken as a stream too.
   *
   * @param size a size such as {@code 64kb}, by powers of 1024
   * @throws IllegalArgumentException if it is none
   */
  public WebSockets maxMessage(String size) {
    long bytes = ByteSize.bytes("maxMessage", size);
    return with(copy -> copy.maxMessage = bytes);
  }

  /**
   * Chooses the most bytes of a frame, of which a message may have several.
   *
   * @param size a size such as {@code 16kb}, by powers of 1024
   * @throws IllegalArgumentException if it is none
   */
  public WebSockets maxFrame(String size) {
    long bytes = ByteSize.bytes("maxFrame", size);
    return with(copy -> copy.maxFrame = bytes);
  }

  /**
   * Chooses the silence after which the client is asked whether it is there.
   *
   * @param time a time such as {@code 30 s}
   * @throws IllegalArgumentException if it is none, or nothing
   */
  public WebSockets ping(String time) {
    Duration checked = positive("ping", time);
    return with(copy -> copy.ping = checked);
  }

  /**
   * Chooses the silence after which a socket is closed; an answer to a ping ends the silence, so it
   * should be longer than that of {@link #ping}.
   *
   * @param time a time such as {@code 75 s}
   * @throws IllegalArgumentException if it is none, or nothing
   */
  public WebSockets idle(String time) {
    Duration checked = positive("idle", time);
    return with(copy -> copy.idle = checked);
  }

  /**
   * Chooses how long a sender waits while the client takes nothing.
   *
   * @param time a time such as {@code 10 s}
   * @throws IllegalArgumentException if it is none, or nothing
   */
  public WebSockets patience(String time) {
    Duration checked = positive("patience", time);
    return with(copy -> copy.patience = checked);
  }

  /**
   * Chooses whose pages may begin sockets, beside those of the host that is asked. A request that
   * names no origin comes from no page, and may.
   *
   * @param allowed origins such as {@code https://example.com}; {@code *} for all
   * @throws IllegalArgumentException if one is none
   */
  public WebSockets origins(String... allowed) {
    Set<String> checked = new LinkedHashSet<>();
    for (String origin : allowed) {
      String lower = origin.toLowerCase(Locale.ROOT);
      String host = lower.replaceFirst("^https?://", "");
      boolean plain = !host.equals(lower) && WebSocketHandshake.isOwnOrigin(lower, host);
      if (!origin.equals("*") && !plain) {
        throw Options.wrong("origins", origin, "not an origin such as https://example.com");
      }
      checked.add(lower);
    }
    return with(copy -> copy.origins = Set.copyOf(checked));
  }

  /**
   * Chooses the subprotocols that are spoken. Of those that a client offers the first one counts
   * that is among them; {@link WebSocket#protocol} tells which.
   *
   * @param names tokens
   * @throws IllegalArgumentException if one is none
   */
  public WebSockets protocols(String... names) {
    for (String name : names) {
      if (!WebSocketHandshake.isToken(name)) {
        throw Options.wrong("protocols", name, "not a token");
      }
    }
    return with(copy -> copy.protocols = List.of(names));
  }

  /**
   * Chooses whether messages are compressed for clients that can do that (RFC 7692), each for
   * itself. One that holds both a secret and what others choose tells by its length how alike they
   * are.
   *
   * @param compression false for never
   */
  public WebSockets compression(boolean compression) {
    return with(copy -> copy.compression = compression);
  }

  /**
   * Chooses how many sockets of this step a client may have at once; one more is refused by 429. A
   * client is known by its address, as for {@link RateLimit}.
   *
   * @param sockets how many
   * @throws IllegalArgumentException if it is not positive
   */
  public WebSockets perClient(int sockets) {
    if (sockets <= 0) {
      throw new IllegalArgumentException("perClient(" + sockets + "): must be positive");
    }
    return with(copy -> copy.perClient = sockets);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    SocketHandshake handshake = SocketHandshake.of(req, res, origins, protocols, compression);
    boolean waits = handler == null || req.mayBlock() || VirtualThreads.available();
    if (!waits) {
      throw new IllegalStateException(
          "WebSockets.of(…) waits, which no step may on an event loop; use WebSockets.on()");
    }
    String client = perClient == 0 ? null : ClientName.ofAddress(req);
    if (client != null && !counts.enter(client, perClient)) {
      throw new HttpError(429, "too many sockets of this client", "websocket.crowd", null);
    }
    Joining.Joined<WebSocket> joined = null;
    boolean upgraded = false;
    try {
      Joining.Joined<WebSocket> prepared = joining == null ? null : joining.join(req);
      joined = prepared;
      handshake.answer(req, res);
      res.upgrade(connection -> begin(req, handshake, connection, client, prepared));
      upgraded = true;
    } finally {
      if (!upgraded) {
        leave(client);
      }
      if (!upgraded && joined != null) {
        joined.cancelled().run();
      }
    }
  }

  private void begin(
      Request req,
      SocketHandshake handshake,
      UpgradedConnection upgraded,
      @Nullable String client,
      Joining.@Nullable Joined<WebSocket> joined) {
    long frame = maxFrame < 0 ? maxMessage : maxFrame;
    SocketOptions options =
        new SocketOptions(
            maxMessage, frame, ping, idle, patience, GOODBYE, !handshake.extension().isEmpty());
    SocketConnection connection = new SocketConnection(upgraded, options);
    connection.onEnd(() -> leave(client));
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
      Joining.@Nullable Joined<WebSocket> joined) {
    BodyMemory memory = upgraded.room().memory();
    MessageAssembly assembly =
        new MessageAssembly(maxMessage, () -> memory.share(req.remoteAddress()).room());
    WebSocket socket = new WebSocket(req, handshake, connection, assembly);
    connection.onEnd(req.onDrain(() -> socket.close(CloseCode.GOING_AWAY, "the server stops")));
    if (close != null) {
      OnClose callback = close;
      connection.onEnd(() -> callback.closed(socket, socket.closeCode(), socket.closeReason()));
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
      if (open != null) {
        open.opened(socket);
      }
    } catch (Throwable e) { // an Error as well: the socket has to begin, to be able to end
      SocketCallbacks.failed(socket, e);
    }
    SocketCallbacks callbacks =
        new SocketCallbacks(
            socket,
            assembly,
            text == null ? null : text::take,
            binary == null ? null : binary::take,
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

  private void leave(@Nullable String client) {
    if (client != null) {
      counts.leave(client);
    }
  }

  private void checkCallbacks(String option) {
    if (handler != null) {
      throw new IllegalStateException(option + "(…): is of WebSockets.on(), not of(…)");
    }
  }

  private static Duration positive(String option, String time) {
    long millis = TimeSpan.millis(option, time);
    if (millis == 0) {
      throw Options.wrong(option, time, "must be positive");
    }
    return Duration.ofMillis(millis);
  }
}
