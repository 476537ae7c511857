package dev.percolate.middleware.socket;

import dev.percolate.core.ConnectionSummary;
import dev.percolate.core.UpgradedConnection;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.http.CloseCode;
import dev.percolate.http.Frame;
import dev.percolate.http.FrameReader;
import dev.percolate.http.WebSocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connection of one WebSocket: control frames, timeouts, and closing.
 *
 * <pre>
 *   OPEN --server closes--> CLOSING --client closes, or timeout--> ENDED --connection over--> hooks
 *     +---client closes, violates the protocol, or disconnects-------^
 * </pre>
 */
public final class SocketConnection implements SocketInput.Owner {

  private static final byte[] NO_PAYLOAD = {};

  /** How long to wait for the close frame of the client. */
  private static final Duration GOODBYE = Duration.ofSeconds(5);

  /** The time for handling messages that arrived before the end, so that replies are still sent. */
  private static final Duration WORK = Duration.ofSeconds(1);

  private final UpgradedConnection connection;
  private final SocketOptions options;
  private final SocketInput input;
  private final SocketOutput output;
  private final List<Runnable> hooks = new ArrayList<>(2);

  private volatile @Nullable Runnable available;
  private volatile @Nullable Runnable check;

  // Guarded by this.
  private int code = CloseCode.ABNORMAL;
  private String reason = "";
  private boolean known;
  private boolean closing;
  private boolean over;
  private @Nullable Runnable timer;
  private @Nullable ByteBuffer farewell;
  private long asked;

  public SocketConnection(UpgradedConnection connection, SocketOptions options) {
    this.connection = connection;
    this.options = options;
    FrameReader frames =
        new FrameReader(
            true, options.compressed(), options.maxFrameSize(), options.maxMessageSize());
    this.input = new SocketInput(connection, frames, this);
    this.output = new SocketOutput(connection, options.sendTimeout(), this::tooSlow);
  }

  public UpgradedConnection connection() {
    return connection;
  }

  public SocketOptions options() {
    return options;
  }

  public SocketInput input() {
    return input;
  }

  public SocketOutput output() {
    return output;
  }

  /**
   * Starts reading.
   *
   * @param notified is called when messages are available; null if a thread waits for them
   */
  public void begin(@Nullable Runnable notified) {
    available = notified;
    connection.summary(() -> counted(0, ""));
    connection.onEnd(this::ended);
    tickAfter(nextTick(0));
    input.run();
  }

  /** Sets a task that runs periodically while the socket is open. */
  public void check(Runnable task) {
    check = task;
  }

  /**
   * Adds a hook that runs when the socket ends, or immediately if it has ended. If the hook throws,
   * the exception is logged.
   */
  public void onEnd(Runnable hook) {
    synchronized (this) {
      if (!over) {
        hooks.add(hook);
        return;
      }
    }
    Callbacks.run("a hook for the end of a WebSocket", hook);
  }

  /**
   * Closes the socket from the server: no more messages are read, and the client must reply. If the
   * client has closed the socket or violated the protocol, sends the pending close frame now.
   */
  public void close(int with, String why) {
    ByteBuffer frame = frame(with, why);
    boolean late;
    synchronized (this) {
      if (closing || over) {
        return;
      }
      late = known;
      closing = !late;
      note(with, why);
    }
    if (late) {
      drained();
      return;
    }
    output.close(frame);
    input.discard();
    onEnd(DaemonTimer.after(GOODBYE, connection::abort));
  }

  /** Ends a socket that could not be opened. */
  public void abandon() {
    connection.abort();
    ended();
  }

  public synchronized boolean isOpen() {
    return !closing && !over && !known;
  }

  /** Returns the close code; {@link CloseCode#ABNORMAL} while the socket is open. */
  public synchronized int code() {
    return code;
  }

  public synchronized String reason() {
    return reason;
  }

  @Override
  public void available() {
    Runnable notified = available;
    if (notified != null) {
      notified.run();
    }
  }

  @Override
  public void ping(byte[] payload) {
    output.pong(payload);
  }

  @Override
  public void closed(int with, String why) {
    int answered = with == CloseCode.NONE ? CloseCode.NORMAL : with;
    endSoon(with, why, frame(answered, why));
  }

  @Override
  public void failed(WebSocketException failure) {
    endSoon(failure.code(), failure.reason(), frame(failure));
  }

  @Override
  public void drained() {
    ByteBuffer frame;
    synchronized (this) {
      frame = farewell;
      farewell = null;
    }
    if (frame != null) {
      output.end(frame);
    }
  }

  /** Ends the socket because of an invalid or unsupported message. */
  public void reject(WebSocketException failure) {
    synchronized (this) {
      note(failure.code(), failure.reason());
    }
    output.end(frame(failure));
    input.discard();
  }

  @Override
  public void gone() {
    synchronized (this) {
      note(CloseCode.ABNORMAL, "");
    }
    output.end(null);
  }

  /** Closes the socket because the client reads too slowly. */
  public void tooSlow() {
    close(CloseCode.TRY_AGAIN, "too slow");
  }

  /**
   * Ends the connection when all earlier messages have been handled, at the latest after a second.
   */
  private void endSoon(int with, String why, ByteBuffer frame) {
    synchronized (this) {
      note(with, why);
      farewell = closing ? frame(code, reason) : frame; // send the code that was recorded first
    }
    onEnd(DaemonTimer.after(WORK, this::drained));
  }

  private static ByteBuffer frame(WebSocketException failure) {
    return frame(failure.code(), failure.reason());
  }

  private static ByteBuffer frame(int with, String why) {
    return Frame.of(Frame.CLOSE, CloseCode.payload(with, why));
  }

  /** Records the close code and reason, unless they are known. */
  private void note(int with, String why) {
    if (!known) {
      known = true;
      code = with;
      reason = why;
    }
  }

  private void ended() {
    List<Runnable> all;
    Runnable set;
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      known = true;
      all = List.copyOf(hooks);
      hooks.clear();
      set = timer;
      timer = null;
    }
    if (set != null) {
      set.run();
    }
    try {
      output.gone();
      input.discard();
    } finally {
      Callbacks.runAll("a hook for the end of a WebSocket", all);
      connection.closed(counted(code(), reason()));
    }
  }

  private ConnectionSummary counted(int code, String reason) {
    return new ConnectionSummary(
        code, reason, input.messages(), output.messages(), input.bytes(), output.bytes());
  }

  /** Closes the socket if the client has been silent for too long, or sends a ping. */
  private void tick() {
    long silent = input.isPaused() ? 0 : System.nanoTime() - input.heard();
    synchronized (this) {
      if (over || closing) {
        return;
      }
    }
    if (silent >= options.idleTimeout().toNanos()) {
      close(CloseCode.GOING_AWAY, "idle");
      return;
    }
    if (silent >= options.pingInterval().toNanos() && asked != input.heard()) {
      asked = input.heard();
      output.ping(NO_PAYLOAD);
    }
    Runnable task = check;
    try {
      if (task != null) {
        SocketThreads.execute(task);
      }
    } finally {
      tickAfter(nextTick(silent));
    }
  }

  /** Returns the time until the next ping or the idle timeout. */
  private Duration nextTick(long silent) {
    long ping = options.pingInterval().toNanos();
    long idle = options.idleTimeout().toNanos();
    long next = silent >= ping ? Math.min(ping, idle - silent) : Math.min(ping, idle) - silent;
    return Duration.ofNanos(Math.max(next, 1_000_000));
  }

  private synchronized void tickAfter(Duration time) {
    if (!over) {
      timer = DaemonTimer.after(time, this::tick);
    }
  }
}
