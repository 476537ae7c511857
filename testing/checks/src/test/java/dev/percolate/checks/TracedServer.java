package dev.percolate.checks;

import dev.percolate.core.Handler;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.logger.RequestLogger;
import dev.percolate.parsers.BodyParsers;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Sends two requests to its own server. {@link RequestTrace} records the second one. */
final class TracedServer {

  private TracedServer() {}

  /** Runs a logger, a body parser and a route, as in most applications. */
  public static void main(String[] args) throws Exception {
    App app = new App();
    app.use(RequestLogger.of("tiny"));
    app.use(BodyParsers.json());
    Handler create = (req, res) -> res.status(201).json(req.body());
    app.post("/orders/:id", create);
    try (Server server = app.listen(0)) {
      post(server.port());
      begin();
      post(server.port());
      Thread.sleep(500); // the log line is written after the response
      end();
    }
  }

  /** Entered at the start of the trace. */
  static void begin() {}

  /** Entered at the end of the trace. */
  static void end() {}

  private static void post(int port) throws IOException {
    URI target = URI.create("http://127.0.0.1:" + port + "/orders/7?full=1");
    HttpURLConnection connection = (HttpURLConnection) target.toURL().openConnection();
    connection.setRequestMethod("POST");
    connection.setRequestProperty("Content-Type", "application/json");
    connection.setDoOutput(true);
    connection.getOutputStream().write("{\"a\":[1,\"two\"]}".getBytes(StandardCharsets.UTF_8));
    if (connection.getResponseCode() != 201) {
      throw new IOException("status " + connection.getResponseCode());
    }
    connection.getInputStream().readAllBytes();
  }
}
