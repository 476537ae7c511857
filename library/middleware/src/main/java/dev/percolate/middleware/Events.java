package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.store.StoreUnavailableException;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.TimeSpan;
import dev.percolate.middleware.socket.DisconnectCause;
import dev.percolate.middleware.socket.Preparation;
import dev.percolate.middleware.socket.SocketThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Responds with a stream of server-sent events (SSE, HTML section 9.2), which pages read with
 * {@code EventSource}.
 *
 * <p>{@link #of} calls the handler on a thread that may block; in the thread mode {@code event
 * loop}, on a virtual thread. The thread is interrupted when the client has disconnected, which is
 * noticed within one heartbeat. With {@link #async} the handler returns at once, and the stream
 * remains open, in every thread mode.
 *
 * <pre>{@code
 * app.get("/news", Events.of((req, events) -> {
 *   for (News news : feed.since(events.lastEventId())) {
 *     events.send(news.id(), "news", news);
 *   }
 * }));
 * }</pre>
 *
 * <p>Caches and proxies are told not to store, transform or buffer streams. On shutdown, streams
 * end first, so that clients reconnect, to another server if there is one. Each option returns a
 * changed copy:
 *
 * <pre>
 *   heartbeat  15 s                    the silence after which a comment is sent
 *   retry      browser default (3 s)   the time after which clients reconnect
 * </pre>
 */
@CheckReturnValue
public final class Events extends Copyable<Events> implements Middleware {

  private final EventHandler handler;
  private final @Nullable Preparation<EventStream> joining;
  private final boolean waits;
  private Duration heartbeat = Duration.ofSeconds(15);
  private @Nullable Duration retry;

  private Events(EventHandler handler, boolean waits, @Nullable Preparation<EventStream> joining) {
    this.handler = handler;
    this.waits = waits;
    this.joining = joining;
  }

  /**
   * Creates a stream for each client. The handler runs on a thread that may block. The stream ends
   * when the handler returns.
   *
   * @param handler sends the events
   */
  public static Events of(EventHandler handler) {
    return new Events(handler, true, null);
  }

  /**
   * Creates a stream for each client, which remains open until it is closed or the client
   * disconnects.
   *
   * @param handler receives the stream, and must return at once
   */
  public static Events async(EventHandler handler) {
    return new Events(handler, false, null);
  }

  /**
   * Creates a stream for each client, which is prepared before the client learns that it is
   * connected. If the preparation fails, the stream ends after status 200, since browsers reconnect
   * only after this status.
   */
  static Events joining(Preparation<EventStream> joining) {
    return new Events((req, events) -> {}, false, joining);
  }

  /**
   * Sets the silence after which a comment is sent. Comments keep proxies from closing the
   * connection, and detect disconnected clients. Default: 15 seconds.
   *
   * @param time a positive time such as {@code 15 s}
   * @throws IllegalArgumentException if the time is invalid or zero
   */
  public Events heartbeat(String time) {
    return with(copy -> copy.heartbeat = Options.positive("heartbeat", time));
  }

  /**
   * Sets the time after which clients reconnect when a stream has ended.
   *
   * @param time a time such as {@code 3 s}
   * @throws IllegalArgumentException if the time is invalid
   */
  public Events retry(String time) {
    return with(copy -> copy.retry = Duration.ofMillis(TimeSpan.millis("retry", time)));
  }

  @Override
  public void handle(Request req, Response res, Next next) throws Exception {
    boolean elsewhere = waits && !req.mayBlock();
    if (elsewhere && !VirtualThreads.available()) {
      throw new IllegalStateException(
          "Events.of(…) blocks, which is not allowed on an event loop. Use Events.async(…).");
    }
    res.set("Content-Type", "text/event-stream");
    res.set("Cache-Control", "no-cache, no-store, no-transform");
    res.set("X-Accel-Buffering", "no");
    if (req.method().equals("HEAD")) {
      res.end();
      return;
    }
    EventStream events = new EventStream(req, res, heartbeat);
    if (joining != null) {
      join(joining, req, events);
      return;
    }
    events.begin(retry);
    if (!waits) {
      open(req, events);
    } else if (elsewhere) {
      SocketThreads.execute(() -> send(req, events));
    } else {
      send(req, events);
    }
  }

  private void join(Preparation<EventStream> preparing, Request req, EventStream events)
      throws IOException {
    Consumer<EventStream> joined;
    try {
      joined = preparing.join(req).begun();
    } catch (RuntimeException | Error e) {
      joined = stream -> failed(req, stream, e);
    }
    try {
      events.begin(retry);
    } finally {
      joined.accept(events); // unsubscribes at once if the client has disconnected
    }
  }

  private void open(Request req, EventStream events) {
    try {
      handler.handle(req, events);
    } catch (Throwable e) { // an Error as well: otherwise the stream stays open
      failed(req, events, e);
    }
  }

  private void send(Request req, EventStream events) {
    events.handledHere();
    try {
      open(req, events);
    } finally {
      if (events.handled()) {
        Thread.interrupted(); // clears the interrupt that the end of the stream caused
      }
      events.close();
    }
  }

  /**
   * Logs a failure, unless the client disconnected or the failure of a store was logged already.
   */
  private static void failed(Request req, EventStream events, Throwable failure) {
    boolean gone = !events.isOpen() && DisconnectCause.mayCause(failure);
    if (!gone && !(failure instanceof StoreUnavailableException)) {
      Callbacks.failed("the event handler of " + req, failure);
    }
    events.close();
  }
}
