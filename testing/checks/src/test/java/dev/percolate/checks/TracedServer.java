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

/** Serves two requests of its own, in a process of its own; {@link RequestTrace} watches one. */
final class TracedServer {

  private TracedServer() {}

  /** A logger, a body parser and a route, as most applications have them. */
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
      Thread.sleep(500); // the line of the log is written behind the answer
      end();
    }
  }

  /** Is entered where the trace begins. */
  static void begin() {}

  /** Is entered where the trace ends. */
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
