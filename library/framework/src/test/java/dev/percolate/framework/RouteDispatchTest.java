package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.testkit.Call;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RouteDispatchTest {

  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final Middleware fails =
      (req, res, next) -> {
        throw new IllegalStateException("boom");
      };

  private Middleware says(String word) {
    return (req, res, next) -> {
      log.add(word);
      next.run();
    };
  }

  private ErrorHandler hears(String word) {
    return (error, req, res, next) -> {
      log.add(word + " " + error.getMessage());
      next.fail(new IllegalStateException(error.getMessage() + "!"));
    };
  }

  private ParamCallback notes(String word) {
    return (req, res, next, value, name) -> {
      log.add(word + " " + name + "=" + value);
      next.run();
    };
  }

  @Test
  void anErrorSkipsHandlersUntilAnErrorHandlerClearsIt() {
    App app = new App();
    ErrorHandler clears = (error, req, res, next) -> next.run();
    app.get("/", says("1"), hears("no"), fails, says("no"), hears("2"), clears, says("3"));
    assertEquals(404, play(Call.get("/"), app).status());
    assertEquals(List.of("1", "2 boom", "3"), log);
  }

  @Test
  void leavingTheRouteSkipsItsRestAndClearsItsError() {
    App app = new App();
    ErrorHandler leaves = (error, req, res, next) -> next.route();
    app.get("/", (req, res, next) -> next.route(), says("no"));
    app.get("/", fails, leaves, hears("no"));
    app.get("/", says("here"));
    assertEquals(404, play(Call.get("/"), app).status());
    assertEquals(List.of("here"), log);
  }

  @Test
  void anErrorHandlerOfALaterRouteMayClearTheErrorForItsRest() {
    App app = new App();
    ErrorHandler clears = (error, req, res, next) -> next.run();
    app.param("x", notes("no"));
    app.get("/a", fails);
    app.get("/:x", says("no"), clears, (req, res, next) -> res.send(req.params().get("x")));
    assertEquals("a", play(Call.get("/a"), app).text());
    assertEquals(List.of(), log);
  }

  @Test
  void parametersAreThoseOfTheRouteAlsoWithAnErrorPending() {
    App app = new App();
    app.get("/:a", fails);
    app.get("/:b", says("no"));
    app.use((error, req, res, next) -> res.send(req.params().toString()));
    assertEquals("{b=1}", play(Call.get("/1"), app).text());
  }

  @Test
  void parameterCallbacksRunInTheOrderOfThePathForEachRoute() {
    App app = new App();
    app.param("b", notes("1")).param(":a", notes("2"), notes("3"));
    app.get("/:a/:b", says("route")).get("/:b/:c?", says("again"));
    app.get("/:b/*", says("third"));
    assertEquals(404, play(Call.get("/x/y%20z"), app).status());
    assertEquals(
        List.of("2 a=x", "3 a=x", "1 b=y z", "route", "1 b=x", "again", "1 b=x", "third"), log);
  }

  @Test
  void callbacksOfOneParameterGetTheSameValueLaterOnesTheChangedOne() {
    App app = new App();
    ParamHandler changes =
        (req, res, next, value) -> {
          req.params().set("a", "changed");
          req.params().set("b", "changed too");
          next.run();
        };
    app.param("a", changes).param("a", notes("a")).param("b", notes("b"));
    app.get("/:a/:b", (req, res) -> res.send(req.params().toString()));
    assertEquals("{a=changed, b=changed too}", play(Call.get("/1/2"), app).text());
    assertEquals(List.of("a a=1", "b b=changed too"), log);
  }

  @Test
  void absentParametersAndIndexesHaveNoCallback() {
    App app = new App();
    app.param("o", notes("o")).param("0", notes("0"));
    app.get("/o/:o?/*", (req, res) -> res.send("ok")).get("/o/:o?", (req, res) -> res.send("o"));
    assertEquals("o", play(Call.get("/o"), app).text());
    assertEquals(List.of(), log);
  }

  @Test
  void aParameterCallbackMayLeaveTheRoute() {
    App app = new App();
    app.param("id", (req, res, next, id) -> next.route()).param("id", notes("no"));
    app.get("/:id", says("no")).get("/:x", (req, res) -> res.send("next"));
    assertEquals("next", play(Call.get("/1"), app).text());
    assertEquals(List.of(), log);
  }

  @Test
  void anErrorOfAParameterCallbackGoesToTheErrorHandlersOfTheRoute() {
    App app = new App();
    app.param(
        "id",
        (req, res, next, id) -> {
          throw new IllegalStateException("bad " + id);
        });
    app.param("id", notes("no")).param("x", notes("no"));
    ErrorHandler answers = (error, req, res, next) -> res.send(error.getMessage());
    app.get("/:id/:x", says("no"), answers);
    assertEquals("bad 1", play(Call.get("/1/2"), app).text());
    assertEquals(List.of(), log);
  }

  @Test
  void aRouteMayRewriteTheUrlForLaterRoutes() {
    App app = new App();
    app.get(
        "/account/edit",
        (req, res, next) -> {
          req.url("/user/12/edit");
          next.run();
        });
    app.get("/user/:id/edit", (req, res) -> res.send(req.params().get("id") + req.originalUrl()));
    assertEquals("12/account/edit", play(Call.get("/account/edit"), app).text());
  }

  @Test
  void theFullRoutePathIsKnownAfterTheResponse() {
    App inner = new App();
    inner.get("/:id", (req, res) -> res.send("user"));
    inner.get(Pattern.compile("^/x/(\\w+)$"), (req, res) -> res.send("word"));
    inner.get("/fail/:id", fails);
    App app = new App();
    app.use(
        (req, res, next) -> {
          log.add(String.valueOf(req.routePath()));
          res.onFinish(() -> log.add(res.status() + " " + req.routePath()));
          next.run();
        });
    app.get("/", (req, res) -> res.send("root"));
    app.use("/users/", inner);
    app.use((error, req, res, next) -> res.status(500).send(String.valueOf(req.routePath())));
    assertEquals("/users/fail/:id", routed(app, "/users/fail/7", "500 /users/fail/:id"));
    assertEquals("user", routed(app, "/users/7", "200 /users/:id"));
    assertEquals("word", routed(app, "/users/x/7", "200 /users^/x/(\\w+)$"));
    assertEquals("root", routed(app, "/", "200 /"));
    routed(app, "/none", "404 null");
  }

  @Test
  void aRouteThatPassedOnHasNoRoutePath() {
    ErrorHandler clears = (error, req, res, next) -> next.run();
    App inner = new App();
    inner.get("/:z", says("inner"));
    App app = new App();
    app.get("/:a", inner, (req, res, next) -> res.send(req.routePath()));
    app.post("/:a", says("left"));
    app.put("/:a", fails);
    app.use(clears);
    app.use((req, res) -> res.send(String.valueOf(req.routePath())));
    assertEquals("/:a", play(Call.get("/1"), app).text());
    assertEquals("null", play(Call.post("/1"), app).text());
    assertEquals("null", play(Call.put("/1"), app).text());
  }

  private String routed(App app, String path, String outcome) {
    log.clear();
    String text = play(Call.get(path), app).text();
    assertEquals(List.of("null", outcome), log);
    return text;
  }
}
