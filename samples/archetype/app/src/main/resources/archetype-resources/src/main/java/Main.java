package ${package};

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.inspector.Inspector;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.ProblemDetails;
import dev.percolate.middleware.SecureHeaders;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.parsers.BodyParsers;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

/** The application and its main method. */
public final class Main {

  private Main() {}

  /** Starts the server on the port in the environment variable PORT. Default: 3000. */
  public static void main(String[] args) throws Exception {
    if (args.length == 1 && args[0].equals("--rehearse")) {
      rehearse();
      return;
    }
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
    System.out.println("Listening at " + app().listen(port).uri());
  }

  static App app() {
    App app = new App();
    app.set("view engine", "peb").set("views", "classpath:/views");
    app.use(Inspector.inDevelopment()); // at /_percolate
    app.use(RequestLogger.of("combined"));
    app.use(SecureHeaders.of());
    app.use(StaticFiles.ofClassPath("/public"));
    app.get("/", Main::greet);
    app.use("/api", api());
    return app;
  }

  private static void greet(Request req, Response res) {
    res.render("index", Map.of("name", req.query("name", String.class, "world")));
  }

  private static App api() {
    App api = new App();
    api.use(BodyParsers.json());
    api.get("/health", (req, res) -> res.json(Map.of("status", "up")));
    api.post("/sum", (req, res) -> res.json(Map.of("sum", req.body(Sum.class).of())));
    api.use(ProblemDetails.notFound());
    api.use(ProblemDetails.json());
    return api;
  }

  private record Sum(int a, int b) {

    int of() {
      return Math.addExact(a, b);
    }
  }

  /** Serves a few requests and ends, so that the JDK records the classes that a start needs. */
  private static void rehearse() throws Exception {
    try (Server server = app().listen(ListenOptions.ofPort(0).host("127.0.0.1"))) {
      HttpClient client = HttpClient.newHttpClient();
      for (String path : new String[] {"/", "/api/health", "/nowhere"}) {
        HttpRequest request = HttpRequest.newBuilder(server.uri().resolve(path)).build();
        client.send(request, BodyHandlers.ofString());
      }
    }
  }
}
