package dev.percolate.middleware;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.http.EventText;
import dev.percolate.http.Utf8;
import dev.percolate.middleware.socket.OfferQueue;
import dev.percolate.middleware.socket.SocketThreads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream of server-sent events (SSE) to one client; {@link Events} creates it.
 *
 * <p>Any thread can use it. Each event is sent as a whole, and at once.
 */
public final class EventStream {

  private static final byte[] BEAT = Utf8.bytes(EventText.comment(""));

  private final Request req;
  private final Response res;
  private final Duration heartbeat;
  private final List<Runnable> hooks = new ArrayList<>(2);
  private final OfferQueue<byte[]> offers;

  // Guarded by this.
  private boolean over;
  private @Nullable Runnable timer;
  private @Nullable Thread handler;

  private volatile long sent = System.nanoTime();

  EventStream(Request req, Response res, Duration heartbeat) {
    this.req = req;
    this.res = res;
    this.heartbeat = heartbeat;
    this.offers = new OfferQueue<>(req.blocksWriters(), this::writeOffered);
  }

  /** Returns the request. */
  public Request req() {
    return req;
  }

  /**
   * Returns the id of the last event that the client received before it reconnected. The client
   * sends it as {@code Last-Event-ID} or as the query parameter {@code lastEventId}. Empty if the
   * client sent neither.
   */
  public String lastEventId() {
    return lastEventId(req);
  }

  static String lastEventId(Request req) {
    String header = req.headers().get("Last-Event-ID");
    String id =
        header == null
            ? req.query("lastEventId")
            : Utf8.text(header.getBytes(StandardCharsets.ISO_8859_1));
    return id == null ? "" : id;
  }

  /**
   * Sends an event. Blocks while the client reads slowly. On an event loop it does not block; up to
   * 1 MiB is queued. If the client is too slow, the stream ends, so that the client reconnects.
   *
   * @param data a string, sent as is; any other value is sent as JSON
   * @return this stream
   * @throws IOException if the stream has ended, or the client is too slow on an event loop
   */
  public EventStream send(@Nullable Object data) throws IOException {
    return send("", "", data);
  }

  /**
   * Sends an event with a name; see {@link #send(Object)}.
   *
   * @param event the name, which is the type of the event in the page
   * @param data a string, sent as is; any other value is sent as JSON
   * @return this stream
   * @throws IOException if the stream has ended, or the client is too slow
   * @throws IllegalArgumentException if the name contains a line break or NUL
   */
  public EventStream send(String event, @Nullable Object data) throws IOException {
    return send("", event, data);
  }

  /**
   * Sends an event with an id and a name; see {@link #send(Object)}.
   *
   * @param id the id, whose string a reconnecting client sends, see {@link #lastEventId}; empty for
   *     none
   * @param event the name; empty for none
   * @param data a string, sent as is; any other value is sent as JSON
   * @return this stream
   * @throws IOException if the stream has ended, or the client is too slow
   * @throws IllegalArgumentException if the id or the name contains a line break or NUL
   */
  public EventStream send(Object id, String event, @Nullable Object data) throws IOException {
    String text =
        data instanceof CharSequence plain
            ? plain.toString()
            : req.settings().jsonCodec().write(data, JsonCodec.WriteOptions.COMPACT);
    return write(EventText.of(id.toString(), event, text));
  }

  /**
   * Sends a comment, which is not visible to the page.
   *
   * @param comment the comment
   * @return this stream
   * @throws IOException if the stream has ended, or the client is too slow
   */
  public EventStream comment(String comment) throws IOException {
    return write(EventText.comment(comment));
  }

  /**
   * Sends the time after which the client reconnects when the stream has ended.
   *
   * @param time the time
   * @return this stream
   * @throws IOException if the stream has ended, or the client is too slow
   */
  public EventStream retry(Duration time) throws IOException {
    return write(EventText.retry(time.toMillis()));
  }

  /** Returns true if the stream has not ended, as far as is known. */
  public synchronized boolean isOpen() {
    return !over;
  }

  /** Ends the stream. The client reconnects after a while. Does nothing if the stream has ended. */
  public void close() {
    if (gone()) {
      try {
        res.end();
      } catch (IllegalStateException e) {
        // the connection is already closed
      }
    }
  }

  /**
   * Registers a hook for the end of the stream. It runs at once if the stream has ended. Any thread
   * may call it, and it must not block. If it throws, the exception is logged and the other hooks
   * run.
   *
   * @param hook the hook
   * @return this stream
   */
  public EventStream onClose(Runnable hook) {
    synchronized (this) {
      if (!over) {
        hooks.add(hook);
        return this;
      }
    }
    Callbacks.run("an onEnd hook of an event stream", hook);
    return this;
  }

  /** Sends the response headers, so that the client knows at once that it is connected. */
  void begin(@Nullable Duration retry) throws IOException {
    res.onFinish(this::gone);
    res.flushHeaders();
    if (retry != null) {
      retry(retry);
    }
    onClose(req.onShutdown(this::closeSoon)); // after the headers: it may end the stream at once
    beatAfter(heartbeat);
  }

  /** Sets the calling thread as the one to interrupt when the stream ends. */
  synchronized void handledHere() {
    handler = Thread.currentThread();
    if (over) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Stops interrupts of that thread. Returns true if the stream has ended and may have interrupted
   * it.
   */
  synchronized boolean handled() {
    handler = null;
    return over;
  }

  /**
   * Sends an event without blocking. Several streams may share the bytes.
   *
   * @param most the maximum number of bytes that wait for the client
   * @return false if the limit would be exceeded; then the event is not sent
   */
  boolean offer(byte[] event, long most) {
    sent = System.nanoTime();
    return offers.offer(event, event.length, most);
  }

  /** Blocks until most of the offered events are sent; returns false if that takes too long. */
  boolean awaitRoom(long end) {
    return offers.awaitRoom(end);
  }

  private void writeOffered(byte[] event, Runnable done) {
    if (!isOpen()) {
      done.run();
      return;
    }
    try {
      res.offer(
          event,
          failure -> {
            done.run();
            if (failure != null) {
              gone();
            }
          });
    } catch (IOException | IllegalStateException e) {
      done.run();
      gone();
    }
  }

  private EventStream write(String text) throws IOException {
    if (!isOpen()) {
      throw new ClientDisconnectedException(null);
    }
    sent = System.nanoTime();
    try {
      res.write(Utf8.bytes(text));
      res.flush();
    } catch (IllegalStateException e) {
      if (isOpen()) {
        throw e;
      }
      throw new ClientDisconnectedException(e);
    } catch (ClientDisconnectedException e) {
      gone();
      throw e;
    } catch (IOException e) {
      close(); // a client that is too slow is still connected
      throw e;
    }
    return this;
  }

  /** Ends the stream without blocking the calling thread. */
  private void closeSoon() {
    if (req.blocksWriters()) {
      SocketThreads.execute(this::close);
    } else {
      close();
    }
  }

  /** Marks the stream as ended, and runs the hooks. Returns true for the first call. */
  private boolean gone() {
    List<Runnable> all;
    synchronized (this) {
      if (over) {
        return false;
      }
      over = true;
      all = List.copyOf(hooks);
      hooks.clear();
      if (timer != null) {
        timer.run();
      }
      if (handler != null && handler != Thread.currentThread()) {
        handler.interrupt();
      }
    }
    Callbacks.runAll("an onEnd hook of an event stream", all);
    return true;
  }

  /** Sends a comment after a time of silence, to detect a disconnected client. */
  private void beat() {
    long silent = System.nanoTime() - sent;
    boolean due = silent >= heartbeat.toNanos();
    if (due) {
      offer(BEAT, BEAT.length);
    }
    beatAfter(due ? heartbeat : heartbeat.minusNanos(silent));
  }

  private synchronized void beatAfter(Duration time) {
    if (!over) {
      timer = DaemonTimer.after(time, this::beat);
    }
  }
}
