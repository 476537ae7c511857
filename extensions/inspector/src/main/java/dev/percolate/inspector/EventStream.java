package dev.percolate.inspector;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.engine.Daemon;
import dev.percolate.http.HttpError;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Sends recorded requests to one page as server-sent events, on its own thread. Request threads
 * never wait for the page. If it is too slow, events are dropped.
 */
final class EventStream implements Runnable {

  private static final int MOST = 16;
  private static final int WAITING = 1000;
  private static final long BEAT_SECONDS = 15;

  private final Response res;
  private final BlockingQueue<String> events = new ArrayBlockingQueue<>(WAITING);
  private volatile boolean shuttingDown;
  private volatile boolean over;

  private EventStream(Response res) {
    this.res = res;
  }

  /** Opens a stream. It ends at a shutdown, so that the page connects to the next server. */
  static void open(Recordings recordings, Request req, Response res) throws IOException {
    if (recordings.listening() >= MOST) {
      throw new HttpError(503, "too many inspector pages are open; close one");
    }
    res.set("Content-Type", "text/event-stream; charset=utf-8");
    if (req.method().equals("HEAD")) {
      res.end();
      return;
    }
    EventStream stream = new EventStream(res);
    Runnable close = recordings.listen(stream::offer);
    Runnable forget = req.onShutdown(stream::shutDown);
    res.onFinish(
        () -> {
          close.run();
          forget.run();
          stream.over = true;
          stream.offer("");
        });
    res.write("retry: 1000\n\n");
    Daemon.thread(stream, "percolate-inspector").start();
  }

  private void shutDown() {
    shuttingDown = true;
    offer("");
  }

  private void offer(String event) {
    boolean unused = events.offer(event);
  }

  @Override
  public void run() {
    try {
      while (!over && !shuttingDown) {
        String event = events.poll(BEAT_SECONDS, TimeUnit.SECONDS);
        if (!over && !shuttingDown) {
          res.write(event == null ? ":\n\n" : "data: " + event + "\n\n");
        }
      }
      if (!over) {
        res.end();
      }
    } catch (IOException | IllegalStateException e) {
      over = true; // the page was closed
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
