package com.example.books;

import dev.percolate.framework.App;
import dev.percolate.middleware.ProblemDetails;
import dev.percolate.parsers.BodyParsers;

public final class Main {

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(3000).uri());
  }

  static App app() {
    App app = new App();
    app.use(BodyParsers.json());
    new Books().define(app);
    app.use(ProblemDetails.notFound());
    app.use(ProblemDetails.json());
    return app;
  }
}
