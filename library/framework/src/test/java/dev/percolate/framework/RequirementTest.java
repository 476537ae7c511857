package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.TraitsProvider;
import dev.percolate.engine.ListenOptions;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequirementTest {

  private static final Middleware PASS = (req, res, next) -> next.run();
  private static final Handler OK = (req, res) -> res.send("x");

  private static final Guard GUARD = new Guard();

  private final App app = new App();

  private static final class Guard implements Middleware, TraitsProvider {

    @Override
    public void handle(Request req, Response res, Next next) {
      next.run();
    }

    @Override
    public MiddlewareTraits traits() {
      return MiddlewareTraits.of("guard").authenticates();
    }
  }

  @Test
  void aRouteWithoutItsGuardFailsByNameAndLine() {
    app.require("/admin", Guard.class);
    app.get("/admin/users", OK);
    String message = failure();
    assertTrue(
        message.matches(
            "get /admin/users at RequirementTest\\.java:\\d+ needs Guard before it, because of"
                + " require\\(\"/admin\", Guard\\.class\\) at RequirementTest\\.java:\\d+\\."
                + " Add it with app\\.use\\(\"/admin\", …\\) before this line\\."),
        message);
    assertEquals(message, assertThrows(IllegalStateException.class, app::listen).getMessage());
  }

  @Test
  void allRoutesWithoutTheirGuardAreNamed() {
    app.require("/admin", Guard.class).post("/admin/a", OK).use("/admin/b", OK).get("/c", OK);
    List<String> lines = failure().lines().toList();
    assertEquals(2, lines.size(), lines::toString);
    assertTrue(lines.get(0).startsWith("post /admin/a at "), lines::toString);
    assertTrue(lines.get(1).startsWith("use /admin/b at "), lines::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/admin", "/ADMIN/", "/", ""})
  void aGuardAtTheMountPathOrAboveItProtects(String path) {
    app.require("/admin", Guard.class).use(path, GUARD);
    app.get("/admin", OK).get("/admin/:id", OK).all("/admin/*", OK).get("/admin.json", OK);
    app.get("/:page", OK).get(Pattern.compile("^/a.*"), OK).use(OK);
    passes();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/admin", "/admin.json", "/:page"})
  void aGuardBelowThePathDoesNotProtectThePathItself(String path) {
    app.require("/admin", Guard.class).all("/admin/*", GUARD).get("/admin/a", OK).get(path, OK);
    assertTrue(failure().startsWith("get " + path + " at "), failure());
  }

  @Test
  void aStarInAMountedApplicationProtectsItsRoot() {
    App inner = new App().all("/*", GUARD).get("/", OK).get("/a", OK);
    app.require("/admin", Guard.class).use("/admin", inner);
    passes();
  }

  @Test
  void aSlashMattersIfRoutingIsStrict() {
    app.enable("strict routing").require("/admin", Guard.class);
    app.all("/admin/", GUARD).get("/admin", OK);
    assertTrue(failure().startsWith("get /admin at "), failure());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/admin", "/Admin/x", "/admin/:id", "/admin.json", "/:page", "/:a/users", "*"})
  void aGuardAfterTheRouteOrElsewhereDoesNot(String path) {
    app.require("/admin", Guard.class).use("/admin/users/all", GUARD);
    app.get(path, OK).use("/admin", GUARD).get("/admin/last", OK);
    assertTrue(failure().startsWith("get " + path + " at "), failure());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/administration", "/adm", "/users/admin", "/api/:id/x"})
  void otherRoutesNeedNone(String path) {
    app.require("/admin", Guard.class).get(path, OK).use("/admin", GUARD).get("/admin/x", OK);
    passes();
  }

  @Test
  void aGuardInTheRouteProtectsIt() {
    app.require("/admin", Guard.class).get("/admin/a", PASS, GUARD, OK);
    passes();
    app.get("/admin/b", OK, GUARD, OK);
    assertTrue(failure().startsWith("get /admin/b at "));
  }

  @Test
  void aGuardInARouteForTheSameMethodsProtects() {
    app.require("/admin", Guard.class).all("/admin*", GUARD).get("/admin/a", OK);
    assertTrue(failure().startsWith("get /admin/a at "), "the pattern is not compared");
    App other = new App().require("/admin", Guard.class).all("/admin/*", GUARD);
    other.get("/admin/a", OK).post("/admin/a", OK);
    assertDoesNotThrow(() -> other.checkStart());
    App get = new App().require("/admin", Guard.class).get("/admin/*", GUARD, PASS);
    get.get("/admin/a", OK).post("/admin/a", OK);
    String message = assertThrows(IllegalStateException.class, get::checkStart).getMessage();
    assertTrue(message.startsWith("post /admin/a at ") && !message.contains("\n"), message);
  }

  @Test
  void aGuardThatAnEarlierStepOfAnotherRouteMaySkipDoesNotCount() {
    app.require("/admin", Guard.class).all("/admin/*", PASS, GUARD).get("/admin/a", OK);
    assertTrue(failure().startsWith("get /admin/a at "));
  }

  @Test
  void aGuardInARouteThatAParameterCallbackMaySkipDoesNotCount() {
    app.require("/admin", Guard.class).param("id", Pattern.compile("^\\d+$"));
    app.all("/admin/:id", GUARD).get("/admin/:name", OK);
    assertTrue(failure().startsWith("get /admin/:name at "), failure());
  }

  @Test
  void aParameterCallbackMaySkipAGuardInAMountedApplicationOrARouter() {
    App inner = new App().require("/", Guard.class).all("/:id", GUARD).get("/:name", OK);
    app.use("/admin", inner);
    passes();
    inner.param("id", (req, res, next, value) -> next.route());
    assertTrue(failure().startsWith("get /admin/:name at "), failure());
    App placed = new App().require("/", Guard.class);
    placed.use(placed.router()).all("/:id", GUARD).get("/:name", OK);
    assertDoesNotThrow(() -> placed.checkStart());
    placed.param("id", (req, res, next, value) -> next.route());
    assertThrows(IllegalStateException.class, placed::checkStart);
  }

  @ParameterizedTest
  @CsvSource({"/café, /caf%C3%A9", "/caf%c3%a9, /café", "/admin, /%61dmin", "/$admin, /%24admin"})
  void aPathCountsInEitherSpelling(String rule, String path) {
    app.require(rule, Guard.class).get(rule + "/a", GUARD, OK).get(path + "/x", OK);
    assertTrue(failure().startsWith("get " + path + "/x at "), failure());
    App guarded = new App().require(rule, Guard.class).use(path, GUARD).get(path + "/x", OK);
    assertDoesNotThrow(() -> guarded.checkStart());
  }

  @Test
  void inPassModeSpellingsDiffer() {
    app.set("ambiguous targets", "pass").require("/caf%C3%A9", Guard.class);
    app.use("/café", GUARD).get("/caf%C3%A9/x", OK);
    assertTrue(failure().startsWith("get /caf%C3%A9/x at "), failure());
    app.use("/caf%C3%A9", GUARD).get("/caf%C3%A9/y", OK);
    assertEquals(1, failure().lines().count(), failure());
  }

  @Test
  void aGuardAtAMountInOtherNonAsciiCaseDoesNotProtect() {
    app.require("/é", Guard.class).use("/É", GUARD).get("/é/x", OK);
    assertTrue(failure().startsWith("get /é/x at "), failure());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/admin/:id%61", "/admin/%3Aid", "/admin/%2A"})
  void escapesInTheRouteOfAGuardAreLiteralText(String path) {
    app.require("/admin", Guard.class).all(path, GUARD).get("/admin/:name", OK);
    assertTrue(failure().startsWith("get /admin/:name at "), failure());
  }

  @Test
  void rulesCoverMountedApplications() {
    App admin = new App().get("/users", OK);
    app.require("/admin", Guard.class).use("/admin", admin);
    assertTrue(failure().startsWith("get /admin/users at "), failure());
    App guarded = new App().use(GUARD).get("/users", OK);
    assertDoesNotThrow(
        () -> new App().require("/admin", Guard.class).use("/admin", guarded).checkStart());
  }

  @Test
  void rulesOfAMountedApplicationAreBelowItsPath() {
    App inner = new App().require("/users", Guard.class).get("/users/:id", OK);
    app.get("/users", OK).use("/api", inner);
    assertTrue(failure().startsWith("get /api/users/:id at "), failure());
    App outer = new App().use("/api", GUARD).use("/api", inner);
    assertDoesNotThrow(() -> outer.checkStart());
    assertDoesNotThrow(() -> inner.checkStart(ListenOptions.ofPort(0), List.of(GUARD)));
  }

  @Test
  void routesInTheRouterAreChecked() {
    app.require("/admin", Guard.class);
    app.use(app.router());
    app.use("/admin", GUARD).get("/admin/a", OK);
    assertTrue(failure().startsWith("get /admin/a at "), failure());
  }

  @Test
  void aPathWithoutRoutesIsAnError() {
    app.require("/amdin", Guard.class).use("/amdin", GUARD).get("/admin", OK);
    String message = failure();
    assertTrue(message.startsWith("require(\"/amdin\", Guard.class) at Requirement"), message);
    assertTrue(
        message.endsWith(": no route is below /amdin. Correct the path, or remove the call."));
    app.use("/amdin/files", PASS);
    passes();
  }

  @ParameterizedTest
  @ValueSource(strings = {"admin", "", "/admin/*", "/:id"})
  void invalidPathsAreRejected(String path) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> app.require(path, Guard.class))
            .getMessage();
    assertTrue(message.startsWith("require(\"" + path + "\", Guard.class)"), message);
  }

  private String failure() {
    return assertThrows(IllegalStateException.class, app::checkStart).getMessage();
  }

  private void passes() {
    assertDoesNotThrow(() -> app.checkStart());
  }
}
