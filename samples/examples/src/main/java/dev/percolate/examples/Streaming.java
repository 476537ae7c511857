package dev.percolate.examples;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import java.time.Duration;
import java.time.Instant;

/**
 * Streaming responses: server-sent events, and a long CSV table.
 *
 * <pre>curl -N localhost:3000/time</pre>
 */
final class Streaming {

  private final Duration pause;

  private Streaming(Duration pause) {
    this.pause = pause;
  }

  public static void main(String[] args) throws Exception {
    App app = app(Duration.ofSeconds(1));
    System.out.println("Listening at " + app.listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app(Duration pause) {
    App app = new App();
    app.get("/time", new Streaming(pause)::time);
    app.get("/squares", Streaming::squares);
    return app;
  }

  /** Sleeps between events. If the client disconnects, the next write throws. */
  private void time(Request req, Response res) throws Exception {
    res.type("text/event-stream").set("Cache-Control", "no-store");
    for (int i = 1; i <= 10; i++) {
      res.write("id: " + i + "\ndata: " + Instant.now() + "\n\n");
      Thread.sleep(pause.toMillis());
    }
    res.end();
  }

  /** Each write waits while the client reads slowly, so the table never fills the memory. */
  private static void squares(Request req, Response res) throws Exception {
    res.type("csv");
    for (long i = 1; i <= 100_000; i++) {
      res.write(i + "," + i * i + "\n");
    }
    res.end();
  }
}
