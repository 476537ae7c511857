package dev.percolate.middleware;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.ClientGone;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.http.EventText;
import dev.percolate.http.Utf8;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream of server-sent events to one client; {@link Events} creates one for each.
 *
 * <p>Any thread may use it. Events go out whole, each at once.
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
   * Returns the id of the last event that the client has seen before it came back, as it says
   * itself by {@code Last-Event-ID}, or by the parameter {@code lastEventId} of the query; empty if
   * it is here for the first time.
   */
  public String lastId() {
    return lastId(req);
  }

  static String lastId(Request req) {
    String header = req.headers().get("Last-Event-ID");
    String id =
        header == null
            ? req.query("lastEventId")
            : Utf8.text(header.getBytes(StandardCharsets.ISO_8859_1));
    return id == null ? "" : id;
  }

  /**
   * Sends an event. Waits while the client reads slowly; on an event loop up to 1 MiB waits for it.
   *
   * @param data a text as it is, anything else as JSON by the codec of the application
   * @return this stream
   * @throws IOException if the stream has ended, or the client is too slow where no step may wait
   */
  public EventStream send(@Nullable Object data) throws IOException {
    return send("", "", data);
  }

  /**
   * Sends an event with a name; see {@link #send(Object)}.
   *
   * @param event its name, which the page listens to
   * @param data a text as it is, anything else as JSON
   * @return this stream
   * @throws IOException if the stream has ended, or the client is too slow
   * @throws IllegalArgumentException if the name has a line break or NUL
   */
  public EventStream send(String event, @Nullable Object data) throws IOException {
    return send("", event, data);
  }

  /**
   * Sends an event with an id and a name; see {@link #send(Object)}.
   *
   * @param id its id, whose text a client that comes back gives by {@link #lastId}; empty for none
   * @param event its name; empty for none
   * @param data a text as it is, anything else as JSON
   * @return this stream
   * @throws IOException if the stream has ended, or the client is too slow
   * @throws IllegalArgumentException if id or name has a line break or NUL
   */
  public EventStream send(Object id, String event, @Nullable Object data) throws IOException {
    String text = data instanceof CharSequence plain ? plain.toString() : json(data);
    return write(EventText.of(id.toString(), event, text));
  }

  /**
   * Sends a comment, which pages do not see.
   *
   * @param comment the comment
   * @return this stream
   * @throws IOException if the stream has ended, or the client is too slow
   */
  public EventStream comment(String comment) throws IOException {
    return write(EventText.comment(comment));
  }

  /**
   * Sends after which time the client is to come back when the stream has ended.
   *
   * @param time the time
   * @return this stream
   * @throws IOException if the stream has ended, or the client is too slow
   */
  public EventStream retry(Duration time) throws IOException {
    return write(EventText.retry(time.toMillis()));
  }

  /** Tells whether the stream has not ended, as far as is known. */
  public synchronized boolean isOpen() {
    return !over;
  }

  /** Ends the stream; the client comes back after a while. Does nothing if it has ended. */
  public void close() {
    if (ends()) {
      endAnswer();
    }
  }

  /**
   * Registers what is to be done when the stream has ended; at once if it has. It runs on any
   * thread and must not wait. If it throws, the exception is logged and the other hooks run.
   *
   * @param hook the hook
   * @return this stream
   */
  public EventStream onEnd(Runnable hook) {
    synchronized (this) {
      if (!over) {
        hooks.add(hook);
        return this;
      }
    }
    Callbacks.run("a hook of the end of an event stream", hook);
    return this;
  }

  /** Begins: the client learns at once that it is connected. */
  void begin(@Nullable Duration retry) throws IOException {
    res.onFinish(this::gone);
    onEnd(req.onDrain(this::closeSoon));
    res.flushHead();
    if (retry != null) {
      retry(retry);
    }
    beatAfter(heartbeat);
  }

  /** Notes that the calling thread sends the events, and is to be woken if the client has gone. */
  synchronized void handledHere() {
    handler = Thread.currentThread();
    if (over) {
      Thread.currentThread().interrupt();
    }
  }

  /** Notes that nobody need be woken any more; tells whether somebody was. */
  synchronized boolean handled() {
    handler = null;
    return over;
  }

  /**
   * Sends an event without waiting, which several streams may share.
   *
   * @param most how many bytes may wait for the client
   * @return false if more would
   */
  boolean offer(byte[] event, long most) {
    sent = System.nanoTime();
    return offers.offer(event, event.length, most);
  }

  /** Waits until most of what was offered has been taken; returns false if it takes too long. */
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
      throw new ClientGone(null);
    }
    sent = System.nanoTime();
    try {
      res.write(Utf8.bytes(text));
      res.flush();
    } catch (IllegalStateException e) {
      if (isOpen()) {
        throw e;
      }
      throw new ClientGone(e);
    } catch (IOException e) {
      gone();
      throw e;
    }
    return this;
  }

  private String json(@Nullable Object data) {
    return req.settings().jsonCodec().write(data, JsonCodec.Style.COMPACT);
  }

  /** Notes that the client has gone, or the answer is over. */
  private void gone() {
    ends();
  }

  /** Ends the stream without waiting for its client. */
  private void closeSoon() {
    if (req.blocksWriters()) {
      SocketThreads.execute(this::close);
    } else {
      close();
    }
  }

  /** Ends the stream once; tells whether this call did. */
  private boolean ends() {
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
    Callbacks.runAll("a hook of the end of an event stream", all);
    return true;
  }

  private void endAnswer() {
    try {
      res.end();
    } catch (IllegalStateException e) {
      // it has been cut off by now
    }
  }

  /**
   * Sends a comment where nothing else has been sent for a while: so a client that has gone shows.
   */
  private void beat() {
    long silent = System.nanoTime() - sent;
    if (!isOpen()) {
      return;
    }
    if (silent < heartbeat.toNanos()) {
      beatAfter(heartbeat.minusNanos(silent));
      return;
    }
    offer(BEAT, BEAT.length);
    beatAfter(heartbeat);
  }

  private synchronized void beatAfter(Duration time) {
    if (!over) {
      timer = DaemonTimer.after(time, this::beat);
    }
  }
}
