package ${package};

import dev.percolate.auth.BearerAuth;
import dev.percolate.auth.TokenIssuer;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.inspector.Inspector;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.ProblemDetails;
import dev.percolate.middleware.SecureHeaders;
import dev.percolate.openapi.OpenApi;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.UUID;

/** The application and its main method. */
public final class Main {

  private Main() {}

  /** Starts the server. README.md lists the environment variables. */
  public static void main(String[] args) throws Exception {
    Map<String, String> environment = System.getenv();
    Database database =
        Database.open(environment.getOrDefault("DATABASE_URL", Database.inMemory("app")));
    String randomSecret = UUID.randomUUID().toString();
    App app = app(database, environment.getOrDefault("TOKEN_SECRET", randomSecret));
    app.onClose(database);
    if (args.length == 1 && args[0].equals("--rehearse")) {
      rehearse(app);
      return;
    }
    int port = Integer.parseInt(environment.getOrDefault("PORT", "3000"));
    System.out.println("Listening at " + app.listen(port).uri());
  }

  static App app(Database database, String secret) {
    TokenIssuer tokens = TokenIssuer.secret(secret);
    App app = new App();
    app.use(Inspector.inDevelopment()); // at /_percolate
    app.use(RequestLogger.of("combined"));
    app.use(SecureHeaders.of());
    app.use(BearerAuth.of(tokens.verifier()));
    app.get("/health", (req, res) -> res.json(Map.of("status", "up")));
    new Accounts(database, tokens).define(app);
    new Notes(database).define(app);
    app.use(OpenApi.of(app).title("Notes").version("1.0").docs("/docs")); // and /openapi.json
    app.use(ProblemDetails.notFound());
    app.use(ProblemDetails.json());
    return app;
  }

  /** Serves a few requests and ends, so that the JDK records the classes that a start needs. */
  private static void rehearse(App app) throws Exception {
    try (Server server = app.listen(ListenOptions.ofPort(0).host("127.0.0.1"))) {
      HttpClient client = HttpClient.newHttpClient();
      for (String path : new String[] {"/health", "/openapi.json", "/notes"}) {
        HttpRequest request = HttpRequest.newBuilder(server.uri().resolve(path)).build();
        client.send(request, BodyHandlers.ofString());
      }
    }
  }
}
