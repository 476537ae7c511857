package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.TraitsProvider;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AppLintTest {

  private static final Key<String> USER = Key.of("user", String.class);
  private static final Middleware PASS = (req, res, next) -> next.run();
  private static final Handler ANSWER = (req, res) -> res.send("x");
  private static final ErrorHandler CATCH = (error, req, res, next) -> next.fail(error);

  private final App app = new App();

  private record Kind(MiddlewareTraits traits) implements Middleware, TraitsProvider {

    @Override
    public void handle(Request req, Response res, Next next) {
      next.run();
    }
  }

  @Test
  void anApplicationInOrderHasNoWarnings() {
    app.use(new Kind(MiddlewareTraits.of("logger").beforeRoutes()));
    app.use(new Kind(MiddlewareTraits.of("parser").once("json")));
    app.use(new Kind(MiddlewareTraits.of("parser").once("form")));
    app.use(new Kind(MiddlewareTraits.of("session").provides(USER)));
    app.use(new Kind(MiddlewareTraits.of("csrf").requires(USER)));
    app.get("/u/new", ANSWER).get("/u/:id", ANSWER).post("/u/:id", ANSWER);
    app.use(ANSWER).use(CATCH);
    assertEquals(List.of(), app.lint());
  }

  @ParameterizedTest
  @CsvSource({
    "/u/:id, /u/new",
    "/u/:id, /U/:name",
    "/u/:id, /u/:n(\\d+)",
    "/u/new, /u/NEW/",
    "/files/*, /files/a/b",
    "/*, /",
    "*, /x/:y",
  })
  void aRouteAfterAWiderOneIsUnreachable(String first, String second) {
    app.get(first, ANSWER).get(second, ANSWER);
    assertOne("unreachable-route: get " + second + " at AppLintTest.java:");
    assertTrue(app.lint().get(0).contains("because get " + first + " at AppLintTest.java:"));
  }

  @ParameterizedTest
  @CsvSource({
    "/u/new, /u/:id",
    "/u/:id, /u/:id/edit",
    "/u/:id(\\d+), /u/new",
    "/u/:id?, /u/new",
    "/u/:a-:b, /u/x",
    "/files/*, /files",
    "/u/:id, /u/*",
  })
  void aRouteThatMatchesMoreIsReachable(String first, String second) {
    app.get(first, ANSWER).get(second, ANSWER);
    assertEquals(List.of(), app.lint());
  }

  @Test
  void layersThatMayPassOnHideNothing() {
    app.get("/u/:id", PASS).get("/u/new", ANSWER).use("/u", PASS);
    assertEquals(List.of(), app.lint());
  }

  @Test
  void middlewareMayLeaveTheRoute() {
    Middleware members = (req, res, next) -> next.route();
    app.get("/", members, ANSWER).get("/", ANSWER);
    assertEquals(List.of(), app.lint());
  }

  @Test
  void aParameterCallbackMayLeaveTheRoute() {
    App inner = new App();
    for (App one : List.of(app, inner)) {
      one.param("id", Pattern.compile("^\\d+$"));
      one.get("/:id", ANSWER).get("/:name", ANSWER);
    }
    app.use("/inner", inner);
    assertEquals(List.of(), app.lint());
  }

  @Test
  void middlewareWithAKindDoesNotLeaveTheRoute() {
    app.get("/", new Kind(MiddlewareTraits.of("parser")), ANSWER).get("/", ANSWER);
    assertOne("unreachable-route: get / at AppLintTest.java:");
  }

  @Test
  void routesWithLettersThatClientsEncodeAreCompared() {
    app.get("/café", ANSWER).get("/café", ANSWER);
    assertOne("unreachable-route: get /café at AppLintTest.java:");
  }

  @Test
  void spellingsOfOneRouteAreEqualAndNonAsciiCaseIsCompared() {
    app.get("/É", ANSWER).get("/é", ANSWER);
    assertEquals(List.of(), app.lint());
    app.get("/%C3%A9", ANSWER);
    assertOne("unreachable-route: get /%C3%A9 at AppLintTest.java:");
  }

  @Test
  void inPassModeSpellingsAreDifferentRoutes() {
    app.set("ambiguous targets", "pass");
    app.get("/%61", ANSWER).get("/a", ANSWER);
    assertEquals(List.of(), app.lint());
  }

  @Test
  void verbsAreCompared() {
    app.get("/x", ANSWER).post("/x", ANSWER).head("/x", ANSWER).all("/y", ANSWER).put("/y", ANSWER);
    List<String> found = app.lint();
    assertEquals(2, found.size(), found::toString);
    assertTrue(found.get(0).startsWith("unreachable-route: head /x at"));
    assertTrue(found.get(1).startsWith("unreachable-route: put /y at"));
  }

  @Test
  void caseAndSlashAreComparedIfEnabled() {
    app.enable("case sensitive routing").enable("strict routing");
    app.get("/x", ANSWER).get("/X", ANSWER).get("/y", ANSWER).get("/:z", ANSWER);
    assertEquals(List.of(), app.lint());
  }

  @Test
  void aHandlerForAllHidesLaterRoutesInMountedApplicationsToo() {
    App inner = new App();
    inner.get("/users", ANSWER);
    app.use("/admin", ANSWER).use("/admin", inner).get("/other", ANSWER);
    assertOne("unreachable-route: get /admin/users at AppLintTest.java:");
  }

  @Test
  void anErrorHandlerBeforeAllLayersIsIdle() {
    app.use(CATCH).get("/x", ANSWER);
    assertOne("idle-error-handler: use / at AppLintTest.java:");
    assertTrue(app.lint().get(0).contains("move it after get /x at AppLintTest.java:"));
  }

  @Test
  void anErrorHandlerWithoutEarlierLayersOnItsPathIsIdle() {
    app.get("/x/:y", ANSWER).use("/x", CATCH).use("/z", CATCH);
    assertOne("idle-error-handler: use /z at AppLintTest.java:");
  }

  @Test
  void aLoggerAfterARouteOnItsPathIsReported() {
    app.get("/x", ANSWER).use("/y", new Kind(MiddlewareTraits.of("logger").beforeRoutes()));
    assertEquals(List.of(), app.lint());
    app.use(new Kind(MiddlewareTraits.of("logger").beforeRoutes()));
    assertOne("logger-below-routes: use / at AppLintTest.java:");
    assertTrue(app.lint().get(0).contains("must be before get /x at AppLintTest.java:"));
  }

  @Test
  void aRouteBeforeTheGuardOfItsPathIsReported() {
    Middleware guard = new Kind(MiddlewareTraits.of("login").authenticates());
    app.get("/admin/export", ANSWER).get("/public", ANSWER).use("/admin", guard);
    app.get("/admin/users", ANSWER).use(guard);
    assertOne("login-below-routes: use /admin at AppLintTest.java:");
    assertTrue(app.lint().get(0).contains("must be before get /admin/export at AppLintTest.java:"));
    assertTrue(app.lint().get(0).endsWith(", which runs without it"));
  }

  @Test
  void repeatedMiddlewareOnAPathIsReported() {
    MiddlewareTraits cors = MiddlewareTraits.of("cors").once();
    app.use("/a", new Kind(cors)).use("/b", new Kind(cors));
    assertEquals(List.of(), app.lint());
    app.get("/b/c", new Kind(cors), ANSWER);
    assertOne("cors-twice: get /b/c at AppLintTest.java:");
  }

  @Test
  void middlewareOfRoutesThatShareNoRequestIsNotReported() {
    Middleware parser = new Kind(MiddlewareTraits.of("parser").once("json").beforeRoutes());
    app.post("/users", parser, ANSWER).put("/users", parser, ANSWER);
    app.put("/users/new", parser, ANSWER).put("/users/:id", parser, ANSWER);
    app.post("/users/:id/tags", parser, ANSWER).patch("/users/:id", parser, PASS);
    app.use("/orders", new Kind(MiddlewareTraits.of("parser").once("json")));
    assertEquals(List.of(), app.lint());
    app.use(new Kind(MiddlewareTraits.of("parser").once("json")));
    assertOne("parser-twice: use / at AppLintTest.java:");
    assertTrue(app.lint().get(0).contains(" repeats patch /users/:id at "), app.lint()::toString);
  }

  @Test
  void middlewareAfterARouteThatPassesRequestsOnIsReported() {
    Middleware logger = new Kind(MiddlewareTraits.of("logger").beforeRoutes());
    app.get("/users/*", PASS).post("/users/:id", logger, ANSWER).head("/users/:id", logger, ANSWER);
    assertOne("logger-below-routes: head /users/:id at AppLintTest.java:");
  }

  @Test
  void routesAreComparedOnceIfTheRouterListsThemAgain() {
    app.get("/a/x", ANSWER).get("/a/:id", ANSWER).use(app.router()).get("/b", ANSWER);
    assertEquals(List.of(), app.lint());
    app.get("/a/y", ANSWER);
    assertOne("unreachable-route: get /a/y at AppLintTest.java:");
  }

  @Test
  void anAttributeSetAfterItsReaderIsReported() {
    app.use("/x", new Kind(MiddlewareTraits.of("csrf").requires(USER)));
    app.use(new Kind(MiddlewareTraits.of("session").provides(USER)));
    assertOne("session-below-reader: use / at AppLintTest.java:");
    assertTrue(app.lint().get(0).contains("must be before use /x at AppLintTest.java:"));
  }

  @Test
  void aNameSilencesAWarningEverywhereOrAtOneLine() {
    app.use(CATCH).get("/:x", ANSWER).get("/y", ANSWER);
    app.set(Settings.LINT_IGNORE, "idle-error-handler, x");
    assertOne("unreachable-route: get /y at AppLintTest.java:");
    String place = app.lint().get(0).split(" at ", -1)[1].split(" ", -1)[0];
    app.set(Settings.LINT_IGNORE, List.of("idle-error-handler", "unreachable-route " + place));
    // Both layers are defined on one line here.
    assertEquals(List.of(), app.lint());
  }

  @Test
  void middlewareAfterAHandlerForAllIsUnreachable() {
    app.use("/api", ANSWER).use("/api/v1", PASS).use("/other", PASS);
    assertOne("unreachable-middleware: use /api/v1 at AppLintTest.java:");
    assertTrue(app.lint().get(0).contains("because use /api at AppLintTest.java:"));
  }

  @Test
  void middlewareAfterARouteForAllMethodsIsUnreachable() {
    app.get("/a/*", ANSWER).use("/a/b", PASS).all("/b/*", ANSWER).use("/b/c", PASS);
    assertOne("unreachable-middleware: use /b/c at AppLintTest.java:");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/a b | has white space",
        "'/users '|has white space",
        "/page#top | has a #",
        "/search?q&page | has a query",
        "/search?q | has a ?, which makes what is before it optional",
        "/users/:id?expand | read it with req.query(\"expand\")",
        "/** | has two stars",
        "/api/**/edit | has two stars",
        "/files/*path | matches only paths with the text \"path\" after the star",
        "/users/[id] | matches one of the letters in [id]; write a parameter as :id",
        "/docs/[...slug] | matches one of the letters in [slug]",
        "/users/:user-id | has the parameter :user and the text \"-id\"",
        "/files/.* | has a dot, which is literal here",
        "/(.*) | has a dot, which is literal here",
        "/:path+ | has a + after :path",
      })
  void doubtfulPathsAreReported(String path, String text) {
    app.get(path, ANSWER);
    assertOne("doubtful-path: get " + path + " at AppLintTest.java:");
    assertTrue(app.lint().get(0).contains(text), app.lint()::toString);
  }

  @Test
  void doubtfulMountPathsAreReported() {
    app.use("/my files", PASS).use("/a#b", PASS);
    List<String> found = app.lint();
    assertTrue(found.get(0).startsWith("doubtful-path: use /my files at AppLintTest.java:"));
    assertTrue(found.get(1).startsWith("doubtful-path: use /a#b at AppLintTest.java:"));
    assertEquals(2, found.size(), found::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a%20b",
        "/*",
        "/files/*.html",
        "/:a-:b",
        "/:file.:ext",
        "/:id(\\d+)",
        "/shop/:item?",
        "/(old)?shop",
        "/:path*",
        "/file.*",
        "/[abc]+",
        "/$metadata"
      })
  void otherPathsAreNotReported(String path) {
    app.get(path, ANSWER).get(Pattern.compile("^/a b#.*"), ANSWER);
    assertEquals(List.of(), app.lint());
  }

  @Test
  void aParameterCallbackWithoutARouteIsReported() {
    App inner = new App();
    inner.param("idd", (req, res, next, value) -> next.run()).get("/:id", ANSWER);
    app.param(List.of("id"), (req, res, next, value) -> next.run()).use("/users", inner);
    List<String> found = app.lint();
    String never = " never runs: no route of its application has this parameter";
    assertEquals(2, found.size(), found::toString);
    assertTrue(found.get(0).startsWith("unused-param: param(\"id\", …) at AppLintTest.java:"));
    assertTrue(found.get(0).endsWith(never));
    assertTrue(found.get(1).startsWith("unused-param: param(\"idd\", …) at AppLintTest.java:"));
    assertTrue(found.get(1).endsWith(never + "; did you mean :id?"));
  }

  @Test
  void aMisspelledSettingIsReportedWithItsLine() {
    app.set("view enginee", "peb").set("mail server", "smtp.example").enable("viewCache");
    assertEquals(false, app.enabled("strict routng"));
    App inner = new App();
    inner.settings().set("veiws", "templates");
    app.use(inner);
    List<String> found = app.lint();
    String end = " is not a setting of the library; did you mean ";
    assertEquals(4, found.size(), found::toString);
    assertTrue(found.get(0).startsWith("unknown-setting: \"strict routng\" at AppLintTest.java:"));
    assertTrue(found.get(0).endsWith(end + "\"strict routing\"?"));
    assertTrue(found.get(1).startsWith("unknown-setting: \"view enginee\" at AppLintTest.java:"));
    assertTrue(found.get(1).endsWith(end + "\"view engine\"?"));
    assertTrue(found.get(2).endsWith(end + "\"view cache\"?"));
    assertEquals("unknown-setting: \"veiws\"" + end + "\"views\"?", found.get(3));
    app.set(Settings.LINT_IGNORE, "unknown-setting");
    assertEquals(List.of(), app.lint());
  }

  @Test
  void middlewareMayWarnAboutItsOptions() {
    app.use("/x", new Kind(MiddlewareTraits.of("login").warns("accepts an empty password.")));
    assertOne("login-options: use /x at AppLintTest.java:");
    assertTrue(app.lint().get(0).endsWith(" accepts an empty password."));
  }

  @Test
  void outsideOfDevelopmentOnlyOptionsAndTheEnvironmentAreLogged() {
    app.use(new Kind(MiddlewareTraits.of("login").warns("accepts an empty password.")));
    app.get("/:x", ANSWER).get("/y", ANSWER).set("env", "prod");
    try (LogLines log = new LogLines()) {
      assertThrows(IllegalStateException.class, () -> app.listen(0)); // there is no engine
      List<String> lines = log.lines().stream().filter(one -> one.startsWith("WARNING")).toList();
      assertEquals(2, lines.size(), lines::toString);
      assertTrue(lines.get(0).startsWith("WARNING login-options: use / at AppLintTest.java:"));
      assertEquals(
          "WARNING unknown environment \"prod\" in APP_ENV, percolate.env or"
              + " app.set(\"env\", …); did you mean \"production\"?",
          lines.get(1));
    }
  }

  private void assertOne(String begin) {
    List<String> found = app.lint();
    assertEquals(1, found.size(), found::toString);
    assertTrue(found.get(0).startsWith(begin), found::toString);
  }
}
