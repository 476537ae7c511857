package ${package};

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.inspector.Inspector;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.ProblemDetails;
import dev.percolate.middleware.SecureHeaders;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.parsers.BodyParsers;
import java.util.Map;

/** The application and its main method. */
public final class Main {

  private Main() {}

  /** Starts the server on the port in the environment variable PORT. Default: 3000. */
  public static void main(String[] args) throws Exception {
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
}
