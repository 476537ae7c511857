package dev.percolate.demo;

import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.framework.App;
import dev.percolate.inspector.Inspector;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.BasicAuth;
import dev.percolate.middleware.CookieParser;
import dev.percolate.middleware.Csrf;
import dev.percolate.middleware.MemoryTopics;
import dev.percolate.middleware.RateLimit;
import dev.percolate.middleware.Sessions;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.parsers.BodyParsers;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Copies of the guest book, each with one fault, for {@link SeededFaultsTest}. */
final class FaultyBook implements AutoCloseable {

  private static final String SECRET = "sixteen or more of them";
  private static final String PASSWORD = "a horse of course";

  /** The parts of the guest book, in their order. */
  enum Part {
    SETTINGS,
    INSPECTOR,
    LOGGER,
    FILES,
    API,
    COOKIES,
    SESSIONS,
    ADMIN,
    PAGES,
    NOT_FOUND
  }

  /** Where a fault is reported. */
  enum Report {
    DEFINITION("exception at its line"),
    START("exception at startup"),
    LINT("warning at startup"),
    HANG("slow request warning"),
    LOG("log and page of the request"),
    EXPLANATION("404 page");

    final String text;

    Report(String text) {
      this.text = text;
    }
  }

  /**
   * A fault.
   *
   * @param code the faulty code; if code is missing, the code that needs it
   * @param target the method and path of the request that shows it; empty for none
   * @param part the part of the application that differs
   * @param seed adds that part, with the fault
   */
  record Fault(
      String name, String code, Report report, String target, Part part, Consumer<App> seed) {}

  private final Map<Part, Consumer<App>> parts = new EnumMap<>(Part.class);
  private final List<Fault> faults = new ArrayList<>();
  private final CountDownLatch leave = new CountDownLatch(1);
  private final Middleware limit = RateLimit.of(60, Duration.ofMinutes(1));
  private final Csrf csrf = Csrf.of().cookie();
  private final Database database;
  private final Entries entries;
  private final Pages pages;

  FaultyBook() throws SQLException {
    database = Database.open("jdbc:h2:mem:" + UUID.randomUUID());
    entries = new Entries(database, Clock.systemUTC(), MemoryTopics.of());
    pages = new Pages(entries);
    parts.put(Part.SETTINGS, app -> app.set("views", Pages.VIEWS).set("view engine", "peb"));
    parts.put(Part.INSPECTOR, app -> app.use(Inspector.inDevelopment()));
    parts.put(Part.LOGGER, app -> app.use(RequestLogger.of("tiny").to((String line) -> {})));
    parts.put(Part.FILES, app -> app.use(StaticFiles.ofClassPath("/public")));
    parts.put(Part.API, app -> app.use("/api/entries", EntriesApi.app(entries, limit)));
    parts.put(Part.COOKIES, app -> app.use(CookieParser.of(SECRET)));
    parts.put(Part.SESSIONS, app -> app.use(Sessions.of(SECRET)));
    parts.put(Part.ADMIN, app -> app.use("/admin", Admin.app(entries, PASSWORD, csrf)));
    parts.put(Part.PAGES, this::addPages);
    parts.put(Part.NOT_FOUND, app -> app.use(ErrorView::notFound));
    addHangs();
    addOrder();
    addOptions();
    addPaths();
    addErrors();
  }

  List<Fault> faults() {
    return faults;
  }

  /** Creates the application with a fault; null for none. */
  App app(@Nullable Fault fault) {
    App app = new App().set(Settings.ENV, "development");
    app.set(Settings.SLOW_REQUEST_WARNING, Duration.ofMillis(100));
    for (Part part : Part.values()) {
      boolean faulty = fault != null && fault.part == part;
      (faulty ? fault.seed : usual(part)).accept(app);
    }
    return app;
  }

  @Override
  public void close() {
    leave.countDown();
    database.close();
  }

  private void addPages(App app) {
    app.get("/", csrf, pages::show);
    app.get("/live", entries.added().events());
    app.get("/entries", (req, res) -> res.redirect("/"));
    app.post("/entries", BodyParsers.urlencoded().extended(true), csrf, pages::write);
  }

  private void addHangs() {
    before(
        Part.PAGES,
        Report.HANG,
        "GET /",
        "a middleware forgets `next`",
        "app.use((req, res, next) -> res.set(\"X-Book\", \"1\"))",
        app -> app.use((req, res, next) -> res.set("X-Book", "1")));
    before(
        Part.PAGES,
        Report.HANG,
        "GET /entries",
        "a handler does not respond",
        "app.get(\"/entries\", (req, res) -> res.status(204))",
        app -> app.get("/entries", (req, res) -> res.status(204)));
    before(
        Part.PAGES,
        Report.HANG,
        "GET /entries",
        "a handler waits forever",
        "app.get(\"/entries\", (req, res) -> leave.await())",
        app -> app.get("/entries", (req, res) -> leave.await()));
    before(
        Part.PAGES,
        Report.HANG,
        "GET /entries",
        "an asynchronous response is lost",
        "app.get(\"/entries\", Middleware.async((req, res) -> new CompletableFuture<>()))",
        app -> app.get("/entries", Middleware.async((req, res) -> new CompletableFuture<>())));
  }

  private void addOrder() {
    after(
        Part.PAGES,
        Report.LINT,
        "",
        "a route is shadowed by an earlier one",
        "app.get(\"/:page\", pages::show).get(\"/about\", pages::show)",
        app -> app.get("/:page", pages::show).get("/about", pages::show));
    before(
        Part.PAGES,
        Report.LINT,
        "",
        "a handler for all requests comes before the routes",
        "app.use((req, res) -> res.sendStatus(404))",
        app -> app.use((req, res) -> res.sendStatus(404)));
    before(
        Part.INSPECTOR,
        Report.LINT,
        "",
        "an error handler comes first",
        "app.use(ErrorView::show)",
        app -> app.use(ErrorView::show));
    after(
        Part.PAGES,
        Report.LINT,
        "",
        "a logger comes last",
        "app.use(RequestLogger.of(\"tiny\"))",
        app -> app.use(RequestLogger.of("tiny")));
    before(
        Part.PAGES,
        Report.LINT,
        "",
        "a parser is added twice",
        "app.use(BodyParsers.json()).use(BodyParsers.json())",
        app -> app.use(BodyParsers.json()).use(BodyParsers.json()));
    before(
        Part.SESSIONS,
        Report.LINT,
        "",
        "a middleware comes before the sessions that it needs",
        "app.use(\"/forms\", Csrf.of())",
        app -> app.use("/forms", Csrf.of()));
    before(
        Part.ADMIN,
        Report.LINT,
        "",
        "a route comes before the guard of its path",
        "app.get(\"/admin/export\", pages::show).use(\"/admin\", BasicAuth.of(\"ann\", PASSWORD))",
        app -> app.get("/admin/export", pages::show).use("/admin", BasicAuth.of("ann", PASSWORD)));
  }

  private void addOptions() {
    before(
        Part.ADMIN,
        Report.LINT,
        "",
        "a password is empty",
        "app.use(\"/admin\", BasicAuth.of(\"ann\", \"\"))",
        app -> app.use("/admin", BasicAuth.of("ann", "")));
    instead(
        Part.SESSIONS,
        Report.LINT,
        "",
        "a secret can be guessed",
        "app.use(Sessions.of(\"keyboard cat\"))",
        app -> app.use(Sessions.of("keyboard cat")));
    after(
        Part.SETTINGS,
        Report.LINT,
        "",
        "a setting is misspelled",
        "app.set(\"view enginee\", \"html\")",
        app -> app.set("view enginee", "html"));
    after(
        Part.SETTINGS,
        Report.DEFINITION,
        "",
        "a setting has the wrong type",
        "app.set(\"view cache\", \"yes\")",
        app -> app.set("view cache", "yes"));
    instead(
        Part.SETTINGS,
        Report.START,
        "",
        "a directory of views does not exist",
        "app.set(\"views\", \"templates\")",
        app -> app.set("views", "templates"));
    instead(
        Part.FILES,
        Report.START,
        "",
        "a directory of files does not exist",
        "app.use(StaticFiles.of(Path.of(\"publik\")))",
        app -> app.use(StaticFiles.of(Path.of("publik"))));
  }

  private void addPaths() {
    before(
        Part.PAGES,
        Report.DEFINITION,
        "",
        "a path is in the syntax of another framework",
        "app.get(\"/entries/{id}\", pages::show)",
        app -> app.get("/entries/{id}", pages::show));
    before(
        Part.PAGES,
        Report.LINT,
        "",
        "a path has a star with a name",
        "app.get(\"/files/*path\", pages::show)",
        app -> app.get("/files/*path", pages::show));
    after(
        Part.PAGES,
        Report.LINT,
        "",
        "a parameter callback is misspelled",
        "app.param(\"idd\", (req, res, next, value) -> next.run())",
        app -> app.param("idd", (req, res, next, value) -> next.run()));
    before(
        Part.PAGES,
        Report.EXPLANATION,
        "POST /draft",
        "a route has the wrong method",
        "app.get(\"/draft\", pages::write)",
        app -> app.get("/draft", pages::write));
    instead(
        Part.API,
        Report.EXPLANATION,
        "GET /api/entries",
        "a mount path is wrong",
        "app.use(\"/api/entry\", EntriesApi.app(entries, limit))",
        app -> app.use("/api/entry", EntriesApi.app(entries, limit)));
  }

  private void addErrors() {
    instead(
        Part.PAGES,
        Report.LOG,
        "POST /entries",
        "a parser is missing",
        "req.form(Sent.class)",
        app -> app.post("/entries", pages::write));
    instead(
        Part.SESSIONS,
        Report.LOG,
        "GET /",
        "a session middleware is missing",
        "req.attr(Sessions.SESSION)",
        app -> {});
    before(
        Part.PAGES,
        Report.LOG,
        "GET /entries/7",
        "a path parameter is misspelled",
        "req.params().required(\"idd\", String.class)",
        app ->
            app.get(
                "/entries/:id",
                (req, res) -> res.send(req.params().required("idd", String.class))));
    before(
        Part.PAGES,
        Report.LOG,
        "GET /entries",
        "a number is sent as a body",
        "res.send(42)",
        app -> app.get("/entries", (req, res) -> res.send(42)));
    before(
        Part.PAGES,
        Report.LOG,
        "GET /entries",
        "a handler responds twice",
        "res.send(\"one\").send(\"two\")",
        app -> app.get("/entries", (req, res) -> res.send("one").send("two")));
    before(
        Part.PAGES,
        Report.LOG,
        "GET /entries",
        "a view does not exist",
        "res.render(\"bok\")",
        app -> app.get("/entries", (req, res) -> res.render("bok")));
    before(
        Part.PAGES,
        Report.LOG,
        "GET /entries",
        "a middleware calls `next` twice",
        "next.run();",
        app ->
            app.use(
                (req, res, next) -> {
                  next.run();
                  next.run();
                }));
  }

  private void before(
      Part part, Report report, String target, String name, String code, Consumer<App> seed) {
    instead(part, report, target, name, code, seed.andThen(usual(part)));
  }

  private void after(
      Part part, Report report, String target, String name, String code, Consumer<App> seed) {
    instead(part, report, target, name, code, usual(part).andThen(seed));
  }

  private void instead(
      Part part, Report report, String target, String name, String code, Consumer<App> seed) {
    faults.add(new Fault(name, code, report, target, part, seed));
  }

  private Consumer<App> usual(Part part) {
    return Objects.requireNonNull(parts.get(part));
  }
}
