package dev.percolate.demo;

import dev.percolate.core.Middleware;
import dev.percolate.framework.App;
import dev.percolate.middleware.CookieParser;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.parsers.BodyParsers;
import java.nio.file.Path;

/** Puts the guest book together; the order of the lines is the order of the steps. */
final class GuestBook {

  private GuestBook() {}

  /**
   * Makes the application.
   *
   * @param entries what is in the book
   * @param options the password and the secret are of interest
   * @param loggers see every request first
   */
  static App app(Entries entries, Environment options, Middleware... loggers) {
    App app = new App();
    app.set("view engine", "peb");
    app.disable("x-powered-by");

    for (Middleware logger : loggers) {
      app.use(logger);
    }
    app.use(new SecurityHeaders());
    app.use(StaticFiles.of(Path.of("public")).maxAge("1h"));
    app.use("/api/entries", EntriesApi.app(entries));

    app.use(CookieParser.of(options.cookieSecret()));
    app.use(new FormToken(options.cookieSecret()));
    app.use("/admin", Admin.app(entries, options.adminPassword()));

    Pages pages = new Pages(entries);
    app.get("/", pages::show);
    app.get("/entries", (req, res) -> res.redirect("/"));
    app.post(
        "/entries",
        BodyParsers.urlencoded().extended(true).limit("16kb"),
        FormToken::check,
        pages::write);
    app.get(
        "/trouble",
        (req, res) -> {
          throw new IllegalStateException("trouble, as asked for");
        });

    app.use(ErrorPages::notFound);
    app.use(ErrorPages::show);
    return app;
  }
}
