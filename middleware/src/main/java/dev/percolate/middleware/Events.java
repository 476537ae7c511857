package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.store.StoreUnavailable;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.TimeSpan;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers by a stream of server-sent events (HTML section 9.2), which pages read by {@code
 * EventSource}.
 *
 * <p>{@link #of} sends the events of each client from a thread that may wait, in the mode {@code
 * event loop} from a virtual thread of its own. It is interrupted as soon as the client is known to
 * have gone, which is within one heartbeat. {@link #on} returns at once and leaves the stream open,
 * in every thread mode.
 *
 * <pre>{@code
 * app.get("/news", Events.of((req, events) -> {
 *   for (News news : feed.since(events.lastId())) {
 *     events.send(news.id(), "news", news);
 *   }
 * }));
 * }</pre>
 *
 * <p>Streams are neither stored nor compressed nor held back on their way. When the server is
 * closed, they end first, and their clients come back, to another server if there is one. It is its
 * own options; each gives a changed copy:
 *
 * <pre>
 *   heartbeat  15 s                   the silence after which a comment is sent
 *   retry      up to the client: 3 s  after which time clients are to come back
 * </pre>
 */
@CheckReturnValue
public final class Events extends Copyable<Events> implements Middleware {

  private static final Duration DEFAULT_HEARTBEAT = Duration.ofSeconds(15);

  private final EventHandler handler;
  private final @Nullable Joining<EventStream> joining;
  private final boolean waits;
  private Duration heartbeat = DEFAULT_HEARTBEAT;
  private @Nullable Duration retry;

  private Events(EventHandler handler, boolean waits, @Nullable Joining<EventStream> joining) {
    this.handler = handler;
    this.waits = waits;
    this.joining = joining;
  }

  /**
   * Sends events to each client from a thread that may wait; the stream ends when the handler
   * returns.
   *
   * @param handler sends the events
   */
  public static Events of(EventHandler handler) {
    return new Events(handler, true, null);
  }

  /**
   * Opens a stream for each client, which stays open until it is closed, or the client goes.
   *
   * @param handler gets the stream, and returns at once
   */
  public static Events on(EventHandler handler) {
    return new Events(handler, false, null);
  }

  /**
   * Opens a stream for each client, which has been prepared when the client learns that it has
   * connected. If that fails the stream ends, so that the client comes back: browsers do so behind
   * no other status than 200.
   */
  static Events joining(Joining<EventStream> joining) {
    return new Events((req, events) -> {}, false, joining);
  }

  /**
   * Chooses the silence after which a comment is sent: so that nothing on the way takes the
   * connection for dead, and a client that has gone is noticed.
   *
   * @param time a time such as {@code 15 s}
   * @throws IllegalArgumentException if it is none, or nothing
   */
  public Events heartbeat(String time) {
    long millis = TimeSpan.millis("heartbeat", time);
    if (millis == 0) {
      throw Options.wrong("heartbeat", time, "must be positive");
    }
    return with(copy -> copy.heartbeat = Duration.ofMillis(millis));
  }

  /**
   * Chooses after which time clients are to come back when a stream has ended.
   *
   * @param time a time such as {@code 3 s}
   * @throws IllegalArgumentException if it is none
   */
  public Events retry(String time) {
    Duration chosen = Duration.ofMillis(TimeSpan.millis("retry", time));
    return with(copy -> copy.retry = chosen);
  }

  @Override
  public void handle(Request req, Response res, Next next) throws Exception {
    boolean elsewhere = waits && !req.mayBlock();
    if (elsewhere && !VirtualThreads.available()) {
      throw new IllegalStateException(
          "Events.of(…) waits, which no step may on an event loop; use Events.on(…)");
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

  private void join(Joining<EventStream> preparing, Request req, EventStream events)
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
      joined.accept(events); // which leaves at once if the client has gone
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
      handler.handle(req, events);
    } catch (Throwable e) { // an Error as well: otherwise the stream stays open
      failed(req, events, e);
    } finally {
      if (events.handled()) {
        Thread.interrupted(); // by the end of the stream, which is of no interest to others
      }
      events.close();
    }
  }

  /**
   * Logs a failure, unless the client disconnected or the failure of a store was logged already.
   */
  private static void failed(Request req, EventStream events, Throwable failure) {
    boolean gone = !events.isOpen() && ClientEnd.mayCause(failure);
    if (!gone && !(failure instanceof StoreUnavailable)) {
      Callbacks.failed("the handler of the events of " + req, failure);
    }
    events.close();
  }
}
