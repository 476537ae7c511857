package com.example.books;

import dev.percolate.framework.App;
import dev.percolate.middleware.ProblemDetails;
import dev.percolate.parsers.BodyParsers;

public final class Main {

  public static void main(String[] args) throws Exception {
    String file = "jdbc:h2:./books;DB_CLOSE_ON_EXIT=FALSE";
    Database database = Database.open(System.getenv().getOrDefault("DATABASE_URL", file));
    App app = app(database);
    app.onClose(database);
    System.out.println("Listening at " + app.listen(3000).uri());
  }

  static App app(Database database) {
    App app = new App();
    app.use(BodyParsers.json());
    new Books(database).define(app);
    app.use(ProblemDetails.notFound());
    app.use(ProblemDetails.json());
    return app;
  }
}
