package dev.percolate.checks;

import dev.percolate.core.Handler;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.parsers.BodyParsers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;

/** Sends two equal requests to its own server. {@link RequestTrace} records the second one. */
final class TracedServer {

  /** A POST of JSON to a route. */
  static final String POST = "post";

  /** A GET of a static file. */
  static final String FILE = "file";

  private TracedServer() {}

  /**
   * Runs a logger, a body parser, static files and a route, as in most applications.
   *
   * @param args {@link #POST} or {@link #FILE}
   */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("traced-server");
    Path file = Files.writeString(folder.resolve("a.css"), "a{color:red}".repeat(50));
    Semaphore written = new Semaphore(0);
    OutputStream lines =
        new ByteArrayOutputStream() {
          @Override
          public void flush() {
            written.release();
          }
        };
    App app = new App();
    app.use(RequestLogger.of("tiny").to(lines));
    app.use(BodyParsers.json());
    app.use("/files", StaticFiles.of(folder));
    Handler create = (req, res) -> res.status(201).json(req.body());
    app.post("/orders/:id", create);
    try (Server server = app.listen(0)) {
      int port = server.port();
      send(args[0], port);
      written.acquire(); // the log line is written after the response
      begin();
      send(args[0], port);
      written.acquire();
      Thread.sleep(80); // the threads return from their calls
      end();
    } finally {
      Files.delete(file);
      Files.delete(folder);
    }
  }

  /** Entered at the start of the trace. */
  static void begin() {}

  /** Entered at the end of the trace. */
  static void end() {}

  private static void send(String request, int port) throws IOException {
    boolean posts = request.equals(POST);
    String path = posts ? "/orders/7?full=1" : "/files/a.css";
    HttpURLConnection connection =
        (HttpURLConnection) URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
    if (posts) {
      connection.setRequestMethod("POST");
      connection.setRequestProperty("Content-Type", "application/json");
      connection.setDoOutput(true);
      connection.getOutputStream().write("{\"a\":[1,\"two\"]}".getBytes(StandardCharsets.UTF_8));
    }
    if (connection.getResponseCode() != (posts ? 201 : 200)) {
      throw new IOException("status " + connection.getResponseCode());
    }
    connection.getInputStream().readAllBytes();
  }
}
