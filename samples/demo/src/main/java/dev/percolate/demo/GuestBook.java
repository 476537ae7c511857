package dev.percolate.demo;

import dev.percolate.core.Middleware;
import dev.percolate.framework.App;
import dev.percolate.inspector.Inspector;
import dev.percolate.middleware.CookieParser;
import dev.percolate.middleware.Csrf;
import dev.percolate.middleware.Health;
import dev.percolate.middleware.RateLimit;
import dev.percolate.middleware.SecureHeaders;
import dev.percolate.middleware.Sessions;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.openapi.OpenApi;
import dev.percolate.parsers.BodyParsers;
import java.time.Duration;

/** Assembles the guest book. Middleware runs in the order in which it is added. */
final class GuestBook {

  /** The content security policy. It allows no inline or external scripts, styles or frames. */
  private static final String POLICY =
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  private GuestBook() {}

  /**
   * Creates the application.
   *
   * @param entries the entries
   * @param stores the stores for sessions and rate limits
   * @param options the settings
   * @param loggers the access logs, which see every request first
   */
  static App app(Entries entries, Stores stores, Environment options, Middleware... loggers) {
    App app = new App();
    app.set("views", Pages.VIEWS).set("view engine", "peb");
    app.disable("x-powered-by");
    app.set("trust proxy", options.proxy() == null ? false : options.proxy());

    app.use(Inspector.inDevelopment()); // at /_percolate
    for (Middleware logger : loggers) {
      app.use(logger);
    }
    app.use(
        SecureHeaders.of().contentSecurityPolicy(POLICY).header("Referrer-Policy", "same-origin"));
    app.get("/ready", Health.ready());
    app.use(StaticFiles.ofClassPath("/public").maxAge("1h"));
    RateLimit limit = RateLimit.of(60, Duration.ofMinutes(1)).store(stores.rates());
    app.post("/entries", limit);
    app.use("/api/entries", EntriesApi.app(entries, limit));
    app.use(OpenApi.of(app).title("Guest book").version("1.0").docs("/docs"));

    app.use(CookieParser.of(options.cookieSecret()));
    app.use(Sessions.of(options.cookieSecret()).store(stores.sessions()));
    Csrf csrf = Csrf.of().cookie();
    app.use("/admin", Admin.app(entries, options.adminPassword(), csrf));

    Pages pages = new Pages(entries);
    app.get("/", csrf, pages::show);
    app.get("/live", entries.added().events());
    app.get("/entries", (req, res) -> res.redirect("/"));
    app.post("/entries", BodyParsers.urlencoded().extended(true).limit("16kb"), csrf, pages::write);
    app.get(
        "/trouble",
        (req, res) -> {
          throw new IllegalStateException("thrown by /trouble");
        });

    app.use(ErrorView::notFound);
    app.use(ErrorView::show);
    return app;
  }
}
