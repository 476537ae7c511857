package dev.percolate.reliability;

import dev.percolate.engine.ListenOptions;
import dev.percolate.framework.App;
import dev.percolate.logger.LogSink;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.Events;
import dev.percolate.middleware.WebSocket;
import dev.percolate.middleware.WebSockets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Serves WebSockets and event streams, with callbacks and blocking threads. {@code
 * reliability/live} starts it.
 *
 * <p>System properties: {@code port}, {@code threads}, {@code log}, the file of the access log,
 * {@code drain} in seconds.
 */
final class LiveServer {

  private static final long FOR_EVER = TimeUnit.DAYS.toMillis(1);

  private LiveServer() {}

  /**
   * Serves until the process is stopped.
   *
   * @param args none
   */
  public static void main(String[] args) throws IOException {
    Path log = Path.of(System.getProperty("log"));
    App app = new App();
    app.use(
        RequestLogger.of(":url :status :ws-close :ws-messages-in :ws-messages-out")
            .to(LogSink.file(log)));
    app.get("/sockets/called", WebSockets.callbacks().onText(WebSocket::send));
    app.get(
        "/sockets/waiting",
        WebSockets.of(
            socket -> {
              for (String text : socket.texts()) {
                socket.send(text);
              }
            }));
    app.get("/events/called", Events.async((req, events) -> events.send("begun")));
    app.get(
        "/events/waiting",
        Events.of(
            (req, events) -> {
              events.send("begun");
              Thread.sleep(FOR_EVER);
            }));
    app.listen(
        ListenOptions.ofPort(Integer.getInteger("port"))
            .host("127.0.0.1")
            .threads(System.getProperty("threads"))
            .shutdownTimeout(Duration.ofSeconds(Integer.getInteger("drain"))));
    System.out.println("ready");
  }
}
