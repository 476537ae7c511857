package com.example.books;

import dev.percolate.auth.BearerAuth;
import dev.percolate.auth.TokenIssuer;
import dev.percolate.engine.ListenOptions;
import dev.percolate.framework.App;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.Health;
import dev.percolate.middleware.ProblemDetails;
import dev.percolate.middleware.RequestId;
import dev.percolate.middleware.SecureHeaders;
import dev.percolate.parsers.BodyParsers;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

public final class Main {

  public static void main(String[] args) throws Exception {
    Map<String, String> environment = System.getenv();
    String file = "jdbc:h2:./books;DB_CLOSE_ON_EXIT=FALSE";
    Database database = Database.open(environment.getOrDefault("DATABASE_URL", file));
    String random = UUID.randomUUID().toString();
    App app = app(database, environment.getOrDefault("TOKEN_SECRET", random));
    app.onClose(database);
    int port = Integer.parseInt(environment.getOrDefault("PORT", "3000"));
    ListenOptions options =
        ListenOptions.ofPort(port)
            .behindProxy(Duration.ofSeconds(60)) // idle connections of nginx
            .shutdownTimeout(Duration.ofSeconds(20)); // for requests in progress
    System.out.println("Listening at " + app.listen(options).uri());
  }

  static App app(Database database, String secret) {
    TokenIssuer tokens = TokenIssuer.secret(secret);
    App app = new App();
    app.set("trust proxy", "loopback, uniquelocal"); // addresses of nginx
    app.use(RequestId.of());
    app.use(RequestLogger.of("json").skip((req, res) -> req.path().equals("/ready")));
    app.use(SecureHeaders.of());
    app.get(
        "/ready",
        Health.of(
            "database",
            () -> database.transaction(tx -> tx.list(row -> row.getInt(1), "select 1"))));
    app.use(BodyParsers.json());
    app.use(BearerAuth.of(tokens.verifier()));
    new Readers(database, tokens).define(app);
    new Books(database).define(app);
    app.use(ProblemDetails.notFound());
    app.use(ProblemDetails.json());
    return app;
  }
}
