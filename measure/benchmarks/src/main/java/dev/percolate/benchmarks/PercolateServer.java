package dev.percolate.benchmarks;

import dev.percolate.core.Middleware;
import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Tls;
import dev.percolate.framework.App;
import dev.percolate.logger.LogSink;
import dev.percolate.logger.RequestLogger;
import dev.percolate.multipart.Multipart;
import dev.percolate.parsers.BodyParsers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The server of the side-by-side measurements and of the reliability tests. System properties:
 *
 * <ul>
 *   <li>{@code port}; {@code threads}; {@code maxConcurrentRequests}; {@code writeTimeout} and
 *       {@code idleTimeout} in seconds;
 *   <li>{@code etag}: true to send entity tags;
 *   <li>{@code log}: a file for {@code combined} log lines;
 *   <li>{@code noOps}: the number of middlewares that do nothing;
 *   <li>{@code file}: the file that {@code /file} sends;
 *   <li>{@code count}: true for {@code /count}, the number of requests so far, {@code /memory}, the
 *       memory of their bodies, and {@code /closed}, the close codes of WebSockets;
 *   <li>{@code keyStore}: a file for HTTPS, with the password {@code secret};
 *   <li>{@code http2PriorKnowledge}: true for HTTP/2 in clear text;
 *   <li>{@code sockets}: WebSockets with {@code callbacks}, or with threads that wait: {@code
 *       threads}.
 * </ul>
 */
public final class PercolateServer {

  private PercolateServer() {}

  public static void main(String[] args) throws Exception {
    System.out.println("ready " + start().uri());
  }

  /** Starts a server configured by the system properties. */
  public static Server start() throws IOException {
    App app = new App().set("etag", Boolean.getBoolean("etag")).set("json spaces", 0);
    String log = System.getProperty("log");
    if (log != null) {
      app.use(RequestLogger.of("combined").to(LogSink.file(Path.of(log))));
    }
    if (Boolean.getBoolean("count")) {
      LongAdder entered = new LongAdder();
      app.get("/count", (req, res) -> res.send(Long.toString(entered.sum())));
      app.get("/memory", (req, res) -> res.send(memory(BodyMemory.ofProcess())));
      app.use(
          (req, res, next) -> {
            entered.increment();
            next.run();
          });
    }
    for (int i = 0; i < Integer.getInteger("noOps", 0); i++) {
      Middleware nothing = (req, res, next) -> next.run();
      app.use(nothing);
    }
    MeasuredRoutes.addTo(app);
    app.post("/echo", BodyParsers.json(), (req, res) -> res.json(req.body()));
    WorkRoutes.addTo(app);
    app.post("/form", Multipart.files(), (req, res) -> res.json(req.body()));
    app.post(
        "/read", (req, res) -> res.send(Integer.toString(req.inputStream().readAllBytes().length)));
    app.get(
        "/slow",
        (req, res) -> {
          Thread.sleep(Long.parseLong(String.valueOf(req.query().get("ms"))));
          res.send("slept");
        });
    String file = System.getProperty("file");
    if (file != null) {
      app.get("/file", (req, res) -> res.sendFile(Path.of(file)));
    }
    app.get(
        "/burn",
        (req, res) -> {
          Object millis = req.query().get("ms");
          res.send(burn(millis == null ? 300 : Long.parseLong(millis.toString())));
        });
    app.get("/pipe", (req, res) -> res.send(SlowPipe.read()));
    String sockets = System.getProperty("sockets");
    if (sockets != null) {
      SocketRoutes.addTo(app, sockets.equals("threads"), Boolean.getBoolean("count"));
    }
    String threads = System.getProperty("threads", "virtual");
    ListenOptions options = ListenOptions.ofPort(Integer.getInteger("port", 8080)).threads(threads);
    Integer writeTimeout = Integer.getInteger("writeTimeout");
    if (writeTimeout != null) {
      options = options.writeTimeout(Duration.ofSeconds(writeTimeout));
    }
    Integer idleTimeout = Integer.getInteger("idleTimeout");
    if (idleTimeout != null) {
      options = options.idleTimeout(Duration.ofSeconds(idleTimeout));
    }
    Integer maxConcurrentRequests = Integer.getInteger("maxConcurrentRequests");
    if (maxConcurrentRequests != null) {
      options = options.maxConcurrentRequests(maxConcurrentRequests);
    }
    String keyStore = System.getProperty("keyStore");
    if (keyStore != null) {
      options = options.tls(Tls.keyStore(Path.of(keyStore), "secret"));
    }
    return app.listen(options.http2PriorKnowledge(Boolean.getBoolean("http2PriorKnowledge")));
  }

  private static String memory(BodyMemory memory) {
    return memory.held() + " " + memory.maxHeld() + " " + memory.waiting() + " " + memory.budget();
  }

  private static String burn(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    int rounds = 0;
    while (System.nanoTime() < end) {
      rounds++;
    }
    return "burnt " + (rounds > 0);
  }
}
