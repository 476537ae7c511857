package ${package};

import dev.percolate.auth.BearerAuth;
import dev.percolate.auth.TokenIssuer;
import dev.percolate.core.ErrorHandler;
import dev.percolate.framework.App;
import dev.percolate.inspector.Inspector;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.ProblemDetails;
import dev.percolate.middleware.SecureHeaders;
import dev.percolate.openapi.OpenApi;
import java.sql.SQLException;
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
    app.get("/", (req, res) -> res.redirect("/docs"));
    app.get("/health", (req, res) -> res.json(Map.of("status", "up")));
    new Accounts(database, tokens).define(app);
    new Notes(database).define(app);
    app.use(OpenApi.of(app).title("Notes").version("1.0").docs("/docs")); // and /openapi.json
    app.use(ProblemDetails.notFound());
    app.use(ErrorHandler.of(SQLException.class, Database::reject));
    app.use(ProblemDetails.json());
    return app;
  }
}
