package dev.percolate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.percolate.core.Handler;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.framework.App;
import dev.percolate.middleware.BasicAuth;
import dev.percolate.middleware.Compression;
import dev.percolate.middleware.Cors;
import dev.percolate.middleware.Csrf;
import dev.percolate.middleware.RateLimit;
import dev.percolate.middleware.Sessions;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.middleware.Timeout;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/**
 * Makes each mistake of {@code docs/mistakes.md} and compares the message with its table; {@code
 * -Dmistakes.update=true} writes the tables.
 */
final class MistakesTest {

  private static final Path PAGE = Path.of("../../docs/mistakes.md");
  private static final String BLANK = "| --- | --- |\n";
  private static final Handler OK = (req, res) -> res.send("ok");
  private static final Middleware PASS = (req, res, next) -> next.run();
  private static final Key<String> USER = Key.of("user", String.class);

  /** Does not continue, but throws the error that it gets. */
  private static final class Passed implements Next {

    @Override
    public void run() {}

    @Override
    public void fail(Throwable error) {
      throw new IllegalStateException(error.getMessage(), error);
    }

    @Override
    public void route() {}
  }

  /** The value of an environment variable that is not set. */
  private static final String UNSET = null;

  /** When a mistake is reported, in the order of the tables. */
  private enum Time {
    DEFINITION,
    START,
    REQUEST
  }

  private final List<Mistake> mistakes = new ArrayList<>();
  private App app = new App();

  /** A mistake: its source code, and an action that makes it. */
  private record Mistake(String code, Time time, Executable maker) {}

  private MistakesTest() {
    defineRoutes();
    defineOptions();
    defineStarts();
    defineWarnings();
    defineAnswers();
  }

  private void defineRoutes() {
    at("app.get(\"/users/{id}\", …)", () -> app.get("/users/{id}", OK));
    at("app.get(\"/users/<id>\", …)", () -> app.get("/users/<id>", OK));
    at("app.get(\"/u/:id/friends/:id\", …)", () -> app.get("/u/:id/friends/:id", OK));
    at("app.get(\"users\", …)", () -> app.get("users", OK));
    at("app.get(\"\", …)", () -> app.get("", OK));
    at("app.get(\"/users?page=1\", …)", () -> app.get("/users?page=1", OK));
    at("app.get(\"/users/:\", …)", () -> app.get("/users/:", OK));
    at("app.get(\"/:größe\", …)", () -> app.get("/:größe", OK));
    at("app.get(\"/api//users\", …)", () -> app.get("/api//users", OK));
    at("app.get(\"/users\")", () -> app.get("/users"));
    at("app.get(\"/users(\", …)", () -> app.get("/users(", OK));
    at("app.method(\"gett\", \"/users\", …)", () -> app.method("gett", "/users", OK));
    at("app.use(\"api\", …)", () -> app.use("api", PASS));
    at("app.use(\"/users/:id\", …)", () -> app.use("/users/:id", PASS));
    at("app.use(\"/api/*\", …)", () -> app.use("/api/*", PASS));
    at("app.use(\"/api\")", () -> app.use("/api"));
    at("app.use(\"/self\", app)", () -> app.use("/self", app));
    at("app.param(\"user-id\", …)", () -> app.param("user-id", (q, r, next, id) -> next.run()));
  }

  private void defineOptions() {
    at("BodyParsers.json().limit(\"10 bananas\")", () -> BodyParsers.json().limit("10 bananas"));
    at("BodyParsers.json().limit(-1)", () -> BodyParsers.json().limit(-1));
    at("Timeout.of(\"5 parsecs\")", () -> Timeout.of("5 parsecs"));
    at("Compression.of().level(11)", () -> Compression.of().level(11));
    at("Cors.any().credentials(true)", () -> Cors.any().credentials(true));
    at("RateLimit.of(0, …)", () -> RateLimit.of(0, Duration.ofMinutes(1)));
    at("Sessions.of(\"\")", () -> Sessions.of(""));
    at("Sessions.of(System.getenv(\"SECRET\")), which is not set", () -> Sessions.of(UNSET));
    at(
        "BasicAuth.of(\"admin\", System.getenv(\"PASSWORD\")), which is not set",
        () -> BasicAuth.of("admin", UNSET));
    at("app.set(\"etag\", 7)", () -> app.set("etag", 7));
    at("app.set(\"trust proxy\", \"my.host\")", () -> app.set("trust proxy", "my.host"));
    at("app.set(Settings.STACK_TRACES, \"yes\")", () -> app.set(Settings.STACK_TRACES, "yes"));
    at("app.set(\"stream limit\", \"64mb\")", () -> app.set("stream limit", "64mb"));
    at("app.enable(\"views\")", () -> app.enable("views"));
    at("ListenOptions.ofPort(70000)", () -> ListenOptions.ofPort(70_000));
    at(
        "StaticFiles.of(…).dotfiles(\"hide\")",
        () -> StaticFiles.of(Path.of("public")).dotfiles("hide"));
  }

  private void defineStarts() {
    at(
        "app.use(StaticFiles.of(Path.of(\"publik\"))), then app.listen(3000)",
        () -> app.use(StaticFiles.of(Path.of("publik"))).listen(0));
    at(
        "app.set(\"views\", \"templates\"), then app.listen(3000)",
        () -> app.set("views", "templates").listen(0));
    at(
        "app.require(\"/admin\", BasicAuth.class), a route without it, then app.listen(3000)",
        () -> app.require("/admin", BasicAuth.class).get("/admin", OK).listen(0));
    at(
        "app.require(\"/amdin\", BasicAuth.class), then app.listen(3000)",
        () -> app.require("/amdin", BasicAuth.class).listen(0));
  }

  private void defineWarnings() {
    warns("app.set(\"view enginee\", \"peb\")", () -> app.set("view enginee", "peb"));
    warns("app.get(\"/a b\", …)", () -> app.get("/a b", OK));
    warns("app.get(\"/api/**\", …)", () -> app.get("/api/**", OK));
    warns("app.get(\"/users/[id]\", …)", () -> app.get("/users/[id]", OK));
    warns("app.get(\"/files/*path\", …)", () -> app.get("/files/*path", OK));
    warns("app.get(\"/users/:user-id\", …)", () -> app.get("/users/:user-id", OK));
    warns(
        "app.param(\"idd\", …), with app.get(\"/users/:id\", …)",
        () -> app.param("idd", (q, r, next, id) -> next.run()).get("/users/:id", OK));
    warns(
        "app.get(\"/u/:id\", …), then app.get(\"/u/new\", …)",
        () -> app.get("/u/:id", OK).get("/u/new", OK));
    warns("app.use(BasicAuth.of(\"admin\", \"\"))", () -> app.use(BasicAuth.of("admin", "")));
    warns("app.use(Sessions.of(\"x\"))", () -> app.use(Sessions.of("x")));
    warns(
        "app.use(Sessions.of(secret).cookie(c -> c.sameSite(\"none\")))",
        () -> app.use(Sessions.of("a secret of letters").cookie(c -> c.sameSite("none"))));
  }

  private void defineAnswers() {
    serves("res.send(42)", (req, res) -> res.send(42));
    serves("res.status(1000)", (req, res) -> res.status(1000));
    serves(
        "res.send(\"a\"), then res.send(\"b\")",
        (req, res) -> {
          res.send("a");
          res.send("b");
        });
    serves(
        "res.send(…), then res.set(\"X-Late\", \"1\")",
        (req, res) -> {
          res.send("a");
          res.set("X-Late", "1");
        });
    serves("req.attr(USER), which is not set", (req, res) -> res.send(req.attr(USER)));
    serves(
        "req.attr(Sessions.SESSION) without Sessions",
        (req, res) -> res.json(req.attr(Sessions.SESSION).id()));
    serves("req.body(List.class) without a parser", (req, res) -> res.json(req.body(List.class)));
    serves(
        "req.query(\"page\", Integer.class, \"one\")",
        (req, res) -> res.json(req.query("page", Integer.class, "one")));
    serves(
        "req.query(\"page\", int.class), which is absent",
        (req, res) -> res.json(req.query("page", int.class)));
    serves(
        "req.params().required(\"idd\", …) in a route with :id",
        (req, res) -> res.json(req.params().required("idd", Long.class)));
    serves("req.form(\"name\") of a JSON body", (req, res) -> res.send(req.form("name")));
    serves("res.redirect(null)", (req, res) -> res.redirect(UNSET));
    serves("res.render(\"home\") without a view engine", (req, res) -> res.render("home"));
    serves("res.render(\"home.peb\") without its module", (req, res) -> res.render("home.peb"));
    serves("Csrf.of() without Sessions", (req, res) -> Csrf.of().handle(req, res, new Passed()));
  }

  private void at(String code, Executable maker) {
    mistakes.add(new Mistake(code, Time.DEFINITION, maker));
  }

  /** Adds a mistake that is a warning when a server starts. */
  private void warns(String code, Executable definition) {
    mistakes.add(
        new Mistake(
            code,
            Time.START,
            () -> {
              definition.execute();
              List<String> warnings = app.lint();
              assertEquals(1, warnings.size(), warnings::toString);
              throw new IllegalStateException(warnings.get(0));
            }));
  }

  /** Adds a mistake that a handler makes during a request. */
  private void serves(String code, Handler step) {
    AtomicReference<Throwable> error = new AtomicReference<>();
    mistakes.add(
        new Mistake(
            code,
            Time.REQUEST,
            () -> {
              app.set("env", "development");
              app.all(
                  "/:id",
                  (req, res) -> {
                    try {
                      step.handle(req, res);
                    } catch (Throwable e) {
                      error.set(e);
                      throw e;
                    }
                  });
              app.use((thrown, req, res, next) -> res.status(500).end());
              Call.post("/7").json(List.of()).to(app);
              Throwable thrown = error.get();
              assertNotNull(thrown, code);
              throw thrown;
            }));
  }

  @TestFactory
  Stream<DynamicTest> thePageSaysWhatIsSaid() throws IOException {
    String page = Files.readString(PAGE);
    return mistakes.stream()
        .map(mistake -> dynamicTest(mistake.code, () -> assertSaid(mistake, page)));
  }

  private void assertSaid(Mistake mistake, String page) {
    String row = row(mistake);
    String begin = row.substring(0, row.indexOf(" | `") + 3);
    List<String> rows = page.lines().filter(line -> line.startsWith(begin)).toList();
    assertEquals(List.of(row), rows);
  }

  @Test
  void thePageHasNoOtherRows() throws IOException {
    if (Boolean.getBoolean("mistakes.update")) {
      update();
    }
    long rows = Files.readString(PAGE).lines().filter(line -> line.startsWith("| `")).count();
    assertEquals(mistakes.size(), rows);
  }

  /** Writes the table of each time. */
  private void update() throws IOException {
    String[] parts = Files.readString(PAGE).split(BLANK.replace("|", "\\|"), -1);
    StringBuilder page = new StringBuilder(parts[0]);
    for (int i = 1; i < parts.length; i++) {
      Time time = Time.values()[i - 1];
      page.append(BLANK);
      mistakes.stream()
          .filter(mistake -> mistake.time == time)
          .forEach(mistake -> page.append(row(mistake)).append('\n'));
      page.append(parts[i].replaceAll("(?m)^\\| `.*\n?", ""));
    }
    Files.writeString(PAGE, page);
  }

  private String row(Mistake mistake) {
    app = new App();
    Throwable error = assertThrows(Throwable.class, mistake.maker);
    String said =
        error
            .getMessage()
            .replace(Path.of("").toAbsolutePath().toString(), "/srv/shop")
            .replaceAll(
                "MistakesTest\\.\\S+ \\(MistakesTest\\.java:\\d+", "Shop.home (Shop.java:31")
            .replaceAll("MistakesTest\\.java:\\d+", "Shop.java:31");
    return "| `" + mistake.code + "` | `" + said + "` |";
  }
}
