package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that each error reaches the error handlers once, or gets a default response. */
@Timeout(60)
final class FailureTest {

  private static final Handler OK = (req, res) -> res.send("ok");

  private final String env = System.getProperty("percolate.env");
  private final LogLines logged = new LogLines();
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());

  @TempDir private Path root;

  @AfterEach
  void restore() {
    logged.close();
    environment(env);
  }

  private static void environment(String name) {
    if (name == null) {
      System.clearProperty("percolate.env");
    } else {
      System.setProperty("percolate.env", name);
    }
  }

  private static IllegalStateException boom() {
    return new IllegalStateException("boom");
  }

  /** Returns middleware that fails in different ways. */
  private static Map<String, Middleware> steps() {
    Map<String, Middleware> steps = new LinkedHashMap<>();
    steps.put(
        "throws",
        (req, res, next) -> {
          throw boom();
        });
    steps.put(
        "checked",
        (req, res, next) -> {
          throw new IOException("boom");
        });
    steps.put(
        "error",
        (req, res, next) -> {
          throw new AssertionError("boom");
        });
    steps.put("fail", (req, res, next) -> next.fail(boom()));
    steps.put("later", (req, res, next) -> new Thread(() -> next.fail(boom())).start());
    steps.put("stage", Middleware.async((req, res) -> CompletableFuture.failedFuture(boom())));
    steps.put(
        "late stage",
        Middleware.async(
            (req, res) ->
                CompletableFuture.runAsync(
                    () -> {
                      throw boom();
                    })));
    steps.put("chain", Chain.of((req, res, next) -> next.run(), steps.get("throws")));
    steps.put("mounted", new App().use(steps.get("throws")));
    steps.put("route of a mounted one", new App().get("/*", steps.get("throws")));
    return steps;
  }

  private void tells(App app) {
    app.use(
        (error, req, res, next) -> {
          told.add("first " + error.getMessage());
          next.fail(error);
        });
    app.use("/nowhere", (error, req, res, next) -> told.add("no"));
    app.use((req, res, next) -> told.add("no"));
    app.use(
        (error, req, res, next) -> {
          told.add("second " + error.getMessage());
          res.status(500).send("told");
        });
    app.use((error, req, res, next) -> told.add("no"));
  }

  private void assertToldOnce(String what, App app, String target) {
    told.clear();
    tells(app);
    assertEquals("told", play(Call.get(target), app).text(), what);
    assertEquals(List.of("first boom", "second boom"), told, what);
    assertEquals(0, app.counters().lateErrors(), what);
  }

  @Test
  void anErrorOfMiddlewareReachesTheErrorHandlersOnce() {
    steps()
        .forEach(
            (what, step) -> {
              assertToldOnce(what + " in use", new App().use(step), "/");
              assertToldOnce(what + " at a path", new App().use("/a", step), "/a/b");
              assertToldOnce(what + " in a route", new App().get("/:x", step, OK), "/b");
              App inner = new App().all("/*", (req, res, next) -> next.run(), step);
              assertToldOnce(what + " within", new App().use("/in", inner), "/in/b");
            });
  }

  @Test
  @DisplayName("RTE-06: an error of a parameter callback reaches the error handlers once")
  void anErrorOfAParameterCallbackReachesTheErrorHandlersOnce() {
    ParamHandler fails = (req, res, next, value) -> next.fail(boom());
    ParamHandler later =
        (req, res, next, value) -> new Thread(() -> next.fail(boom()), "later").start();
    ParamHandler throwing =
        (req, res, next, value) -> {
          throw boom();
        };
    for (ParamHandler callback : List.of(fails, later, throwing)) {
      App app = new App().param("id", callback).get("/:id/:x?", OK).get("/:x", OK);
      assertToldOnce("parameter", app, "/1");
    }
  }

  @Test
  void aTemplateErrorReachesTheErrorHandlersOnce() throws IOException {
    Files.writeString(root.resolve("v.x"), "");
    TemplateEngine throwing =
        (file, locals) -> {
          throw new IOException("boom");
        };
    TemplateEngine grave =
        (file, locals) -> {
          throw new AssertionError("boom");
        };
    for (TemplateEngine engine : List.of(throwing, grave)) {
      App inner = new App().set("views", root.toString()).engine("x", engine);
      inner.get("/", (req, res) -> res.render("v.x")).get("/", OK);
      assertToldOnce("engine", new App().use("/in", inner), "/in");
    }
  }

  @Test
  void theSecondErrorOfMiddlewareIsOnlyCounted() {
    App app = new App();
    app.get(
        "/",
        (req, res, next) -> {
          next.fail(boom());
          throw new IllegalStateException("again");
        });
    tells(app);
    assertEquals("told", play(Call.get("/"), app).text());
    assertEquals(List.of("first boom", "second boom"), told);
    assertEquals(1, app.counters().lateErrors());
  }

  @Test
  void aTypedErrorHandlerGetsOnlyErrorsOfItsType() {
    App app = new App();
    app.get(
        "/:kind",
        (req, res, next) -> {
          switch (String.valueOf(req.params().get("kind"))) {
            case "http" -> throw new HttpError(409, "conflict", "taken", null);
            case "file" -> throw new FileNotFoundException("no file");
            case "io" -> next.fail(new IOException("io"));
            default -> throw boom();
          }
        });
    app.use(
        ErrorHandler.of(
            HttpError.class,
            (error, req, res, next) -> res.status(error.status()).send(error.type())));
    app.use("/file", ErrorHandler.of(IOException.class, (error, req, res, next) -> next.run()));
    app.use(
        ErrorHandler.of(
            IOException.class, (error, req, res, next) -> res.send("io " + error.getMessage())));
    app.use((req, res) -> res.send("cleared"));
    app.use((error, req, res, next) -> res.send("other " + error.getMessage()));
    Reply typed = play(Call.get("/http"), app);
    assertEquals("409 taken", typed.status() + " " + typed.text());
    assertEquals("cleared", play(Call.get("/file"), app).text());
    assertEquals("io io", play(Call.get("/io"), app).text());
    assertEquals("other boom", play(Call.get("/else"), app).text());
  }

  @Test
  void aTypedErrorHandlerMayBeInARoute() {
    App app = new App();
    app.get(
        "/",
        (req, res, next) -> next.fail(new HttpError(403)),
        ErrorHandler.of(RuntimeException.class, (error, req, res, next) -> res.send("route")));
    assertEquals("route", play(Call.get("/"), app).text());
  }

  @Test
  void afterTheHeadersErrorHandlersRunAndAnUnfinishedResponseIsCutOff() {
    App app = new App();
    app.get(
        "/:how",
        (req, res) -> {
          res.write("half");
          throw boom();
        });
    app.use(
        (error, req, res, next) -> {
          told.add(String.valueOf(res.headersSent()));
          if (req.path().equals("/ended")) {
            res.end(" and half");
          } else {
            next.fail(error);
          }
        });
    Reply ended = play(Call.get("/ended"), app);
    assertTrue(ended.complete());
    assertEquals("half and half", ended.text());
    Reply cut = play(Call.get("/cut"), app);
    assertTrue(cut.aborted());
    assertEquals("200 half", cut.status() + " " + cut.text());
    assertEquals(List.of("true", "true"), told);
  }

  @Test
  void anErrorAfterTheResponseDoesNotChangeIt() {
    App app = new App();
    app.use(
        (req, res, next) -> {
          res.send("whole");
          next.fail(boom());
        });
    Reply reply = play(Call.get("/"), app);
    assertFalse(reply.aborted());
    assertEquals("200 whole", reply.status() + " " + reply.text());
  }

  @Test
  void defaultErrorPagesDependOnTheEnvironmentOfTheProcess() {
    for (String name : List.of("development", "test", "staging", "production")) {
      environment(name);
      int before = logged.lines().size();
      App app = new App().get("/boom", steps().get("throws"));
      app.get("/tea", (req, res, next) -> next.fail(new HttpError(418, "no <coffee>")));
      app.get(
          "/busy", (req, res, next) -> next.fail(res.status(503).headersSent() ? null : boom()));
      Reply missing = play(Call.get("/no?<a>"), app.set("env", "other"));
      assertEquals("404 Cannot GET /no?&lt;a&gt;\n", missing.status() + " " + missing.text());
      Reply boom = play(Call.get("/boom"), app);
      boolean production = name.equals("production");
      assertEquals(500, boom.status());
      assertEquals(production, boom.text().equals("Internal Server Error\n"), boom::text);
      assertEquals(
          !production,
          boom.text().startsWith("java.lang.IllegalStateException: boom<br>"),
          boom::text);
      Reply tea = play(Call.get("/tea"), app);
      String page =
          production ? "I&#39;m a Teapot\n" : "dev.percolate.http.HttpError: no &lt;coffee&gt;\n";
      assertEquals("418 " + page, tea.status() + " " + tea.text());
      assertEquals(503, play(Call.get("/busy"), app).status());
      assertEquals("nosniff", tea.header("X-Content-Type-Options"));
      assertEquals(name.equals("test") ? 0 : 3, logged.lines().size() - before, name);
    }
  }

  @Test
  void aProxyGetsNoStackTracesUnlessEnabled() {
    environment("development");
    App inner = new App().get("/boom", steps().get("throws"));
    App app = new App().use("/in", inner);
    Call call = Call.get("/in/boom").header("Via", "1.1 front");
    assertEquals("500 Internal Server Error\n", outcome(play(call, app)));
    app.set(AppSettings.express());
    assertTrue(
        outcome(play(call, app)).startsWith("500 java.lang.IllegalStateException: boom<br>"));
    app.set("stack traces", "none");
    assertEquals("500 Internal Server Error\n", outcome(play(Call.get("/in/boom"), app)));
  }

  private static String outcome(Reply reply) {
    return reply.status() + " " + reply.text();
  }

  @Test
  void clientErrorsHaveNoStackTrace() {
    App app = new App();
    app.param("n", Pattern.compile("^(a+)+$"));
    app.get("/p/:n", OK).get("/:x", (req, res, next) -> next.fail(new HttpError(404)));
    app.use(
        (error, req, res, next) ->
            res.send(((HttpError) error).status() + " " + error.getStackTrace().length));
    assertEquals("400 0", play(Call.get("/%zz"), app).text());
    assertEquals("404 0", play(Call.get("/x"), app).text());
    assertEquals("400 0", play(Call.get("/p/" + "a".repeat(5_000) + "b"), app).text());
  }

  @Test
  void bodyHeadersOfAFailedHandlerAreRemoved() {
    App app = new App();
    app.get(
        "/",
        (req, res) -> {
          res.set("Content-Length", "1000").set("Content-Encoding", "gzip").set("X-A", "1");
          throw boom();
        });
    app.use((ErrorHandler) (error, req, res, next) -> res.status(500).send("sorry"));
    Reply reply = play(Call.get("/"), app);
    assertEquals("500 sorry 5", reply.status() + " " + reply.text() + " " + length(reply));
    assertEquals("null 1", reply.header("Content-Encoding") + " " + reply.header("X-A"));
  }

  private static String length(Reply reply) {
    return reply.header("Content-Length");
  }

  @Test
  void theOriginalErrorIsLoggedIfItsHandlerFails() {
    environment("production");
    assertEquals(
        List.of("SEVERE GET /", "SEVERE GET /"), reported(new NullPointerException("oops")));
    assertEquals(List.of("SEVERE GET /"), reported(new IOException(boom())));
    assertEquals(List.of(), reported(new HttpError(404)));
  }

  /** Returns the log if an error handler throws a given error, itself or as a cause. */
  private List<String> reported(Exception thrown) {
    logged.lines().clear();
    App app = new App();
    app.get(
        "/",
        (req, res) -> {
          throw thrown.getCause() instanceof Exception cause ? cause : boom();
        });
    app.use(
        (ErrorHandler)
            (error, req, res, next) -> {
              throw thrown;
            });
    play(Call.get("/"), app);
    return logged.lines();
  }

  @Test
  void aLaterRouteThatCannotBeMatchedDoesNotReplaceAnError() {
    App app = new App();
    app.all(Pattern.compile("^/files"), (req, res, next) -> next.fail(new HttpError(403)));
    app.get("/files/:name", OK);
    app.use(
        (ErrorHandler)
            (error, req, res, next) -> res.send(String.valueOf(((HttpError) error).status())));
    assertEquals("403", play(Call.get("/files/%ff"), app).text());
  }
}
