package com.example.books;

import dev.percolate.auth.BearerAuth;
import dev.percolate.auth.TokenIssuer;
import dev.percolate.framework.App;
import dev.percolate.middleware.ProblemDetails;
import dev.percolate.parsers.BodyParsers;
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
    System.out.println("Listening at " + app.listen(3000).uri());
  }

  static App app(Database database, String secret) {
    TokenIssuer tokens = TokenIssuer.secret(secret);
    App app = new App();
    app.use(BodyParsers.json());
    app.use(BearerAuth.of(tokens.verifier()));
    new Readers(database, tokens).define(app);
    new Books(database).define(app);
    app.use(ProblemDetails.notFound());
    app.use(ProblemDetails.json());
    return app;
  }
}
