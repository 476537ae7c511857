package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static dev.percolate.framework.Played.playAsStep;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class StackDispatchTest {

  private final List<String> log = Collections.synchronizedList(new ArrayList<>());

  private Middleware says(String word) {
    return (req, res, next) -> {
      log.add(word);
      next.run();
    };
  }

  private static void fails(Request req, Response res, Next next) {
    next.fail(new IllegalStateException("boom"));
  }

  @Test
  void layersRunInTheOrderOfTheirDefinition() {
    App app = new App();
    app.use(says("1")).get("/a", says("2")).use("/a", says("3")).all("/:x", says("4"));
    app.use("/b", says("no")).post("/a", says("no")).use(says("5"));
    assertEquals(404, play(Call.get("/a"), app).status());
    assertEquals(List.of("1", "2", "3", "4", "5"), log);
  }

  @Test
  void anErrorGoesToErrorHandlersOnlyUntilOneClearsIt() {
    App app = new App();
    app.use((error, req, res, next) -> log.add("early"));
    app.use(StackDispatchTest::fails, says("no"));
    app.use("/other", (error, req, res, next) -> log.add("elsewhere"));
    app.use(
        (error, req, res, next) -> next.fail(new IllegalStateException(error.getMessage() + "2")));
    app.use(
        (error, req, res, next) -> {
          log.add(error.getMessage());
          next.run();
        });
    app.use((error, req, res, next) -> log.add("no error any more"));
    app.use((req, res) -> res.send("ok"));
    assertEquals("ok", play(Call.get("/"), app).text());
    assertEquals(List.of("boom2"), log);
  }

  @Test
  void everyThrowableReachesTheErrorHandlers() {
    App app = new App();
    app.use(
        (req, res, next) -> {
          throw new AssertionError("grave");
        });
    app.use((error, req, res, next) -> res.send(error.getMessage()));
    assertEquals("grave", play(Call.get("/"), app).text());
  }

  @Test
  void leavingARouteOutsideOfOneIsAnError() {
    App app = new App();
    app.use((req, res, next) -> next.route());
    app.use((error, req, res, next) -> res.send(error.getMessage()));
    assertEquals("next.route() was called outside of a route", play(Call.get("/"), app).text());
  }

  @Test
  void anErrorOfMiddlewareSkipsRoutes() {
    App app = new App();
    app.use(StackDispatchTest::fails);
    app.get("/", (ErrorHandler) (error, req, res, next) -> res.send("route"));
    app.use((error, req, res, next) -> res.send("middleware"));
    assertEquals("middleware", play(Call.get("/"), app).text());
  }

  @Test
  void anErrorOfARouteGoesToTheNextErrorHandler() {
    App app = new App();
    app.get("/:x", StackDispatchTest::fails, says("no"));
    app.use(says("no"));
    app.get("/other", (ErrorHandler) (error, req, res, next) -> log.add("no"));
    app.get(
        "/a", (ErrorHandler) (error, req, res, next) -> res.send("route " + error.getMessage()));
    app.use((error, req, res, next) -> res.send("middleware " + error.getMessage()));
    assertEquals("route boom", play(Call.get("/a"), app).text());
    assertEquals("middleware boom", play(Call.get("/b"), app).text());
    assertEquals(List.of(), log);
  }

  @Test
  void anErrorOfARoutePassedOnByMiddlewareSkipsRoutes() {
    App app = new App();
    app.get("/", StackDispatchTest::fails);
    app.use((error, req, res, next) -> next.fail(error));
    app.get("/", (ErrorHandler) (error, req, res, next) -> res.send("route"));
    app.use((error, req, res, next) -> res.send("middleware"));
    assertEquals("middleware", play(Call.get("/"), app).text());
  }

  @Test
  void anErrorOfAMountedApplicationSkipsRoutes() {
    App inner = new App();
    inner.get("/", StackDispatchTest::fails);
    App app = new App();
    app.use(inner).get("/", (ErrorHandler) (error, req, res, next) -> res.send("route"));
    app.use((error, req, res, next) -> res.send("middleware"));
    assertEquals("middleware", play(Call.get("/"), app).text());
  }

  @Test
  void anUndecodableParameterSkipsRoutes() {
    App app = new App();
    app.get("/:id", (req, res) -> res.send("no"));
    app.get("/*", (ErrorHandler) (error, req, res, next) -> res.send("route"));
    app.use((error, req, res, next) -> res.send(((HttpError) error).status() + error.getMessage()));
    assertEquals("400Failed to decode param '%zz'", play(Call.get("/%zz"), app).text());
  }

  @Test
  void theCurrentApplicationIsSetAndRestored() {
    App inner = new App();
    App app = new App();
    inner
        .set("name", "inner")
        .use(
            (req, res, next) -> {
              assertSame(inner, App.of(req));
              log.add(String.valueOf(req.settings().get("name")));
              if (req.path().equals("/fail")) {
                throw new IllegalStateException("x");
              }
              next.run();
            });
    app.set("name", "outer").use("/in", inner);
    app.use((error, req, res, next) -> next.run());
    app.use(
        (req, res) -> {
          assertSame(app, App.of(req));
          res.send(String.valueOf(req.settings().get("name")));
        });
    assertEquals("outer", play(Call.get("/in"), app).text());
    assertEquals("outer", play(Call.get("/in/fail"), app).text());
    assertEquals(List.of("inner", "inner"), log);
  }

  @Test
  void betweenRoutesOnlyTheLastParametersRemain() {
    App inner = new App();
    inner.get("/:z", (req, res, next) -> next.run());
    App app = new App();
    app.use(
        (req, res, next) -> {
          assertNull(req.route());
          next.run();
        });
    app.get(
        "/:a",
        inner,
        (req, res, next) -> {
          log.add(((Route) req.route()).path() + " " + req.params());
          next.run();
        });
    app.use((req, res) -> res.send(req.route() + " " + req.params()));
    assertEquals("null {z=1}", play(Call.get("/1"), app).text());
    assertEquals(List.of("/:a {z=1}"), log);
  }

  @Test
  @DisplayName("RTE-05: ten thousand synchronous layers do not overflow")
  void tenThousandSynchronousLayersDoNotOverflow() {
    App app = new App();
    AtomicInteger calls = new AtomicInteger();
    for (int i = 0; i < 10_000; i++) {
      app.use("/no", says("no"));
      app.use(
          (req, res, next) -> {
            calls.incrementAndGet();
            next.run();
          });
      app.get(
          "/:x",
          (req, res, next) -> {
            calls.incrementAndGet();
            next.run();
          });
      app.get("/:y", new Middleware[0]);
      app.get("/:y", (ErrorHandler) (error, req, res, next) -> log.add("no"));
    }
    app.use((req, res) -> res.send("end"));
    assertEquals("end", play(Call.get("/x"), app).text());
    assertEquals(20_000, calls.get());
  }

  @Test
  void tenThousandRoutesPassAnErrorOnWithoutOverflow() {
    App app = new App();
    app.get("/:x", StackDispatchTest::fails);
    for (int i = 0; i < 10_000; i++) {
      app.get("/:x", says("no"));
      app.get("/:x", (ErrorHandler) (error, req, res, next) -> next.fail(error));
    }
    app.use((error, req, res, next) -> res.send(error.getMessage()));
    assertEquals("boom", play(Call.get("/x"), app).text());
  }

  @Test
  void nextMayBeCalledOnOtherThreads() {
    Middleware later = (req, res, next) -> new Thread(next).start();
    App inner = new App();
    inner.use(later, says("inner"));
    App app = new App();
    app.param("x", (req, res, next, value) -> new Thread(next).start());
    app.use(later, says("1"), inner).get("/:x", later, says("route"), later);
    app.use(
        (req, res, next) -> new Thread(() -> next.fail(new IllegalStateException("late"))).start());
    app.use((error, req, res, next) -> res.send(error.getMessage() + req.params()));
    assertEquals("late{x=y}", play(Call.get("/y"), app).text());
    assertEquals(List.of("1", "inner", "route"), log);
  }

  @Test
  @DisplayName("RTE-04: an exception after next does not change the response")
  void anExceptionAfterNextDoesNotChangeTheResponse() {
    App app = new App();
    app.get(
        "/a",
        (req, res, next) -> {
          next.run();
          throw new IllegalStateException("after");
        });
    app.get("/a", (req, res) -> res.send("answered"));
    app.use((error, req, res, next) -> log.add("no"));
    assertEquals("answered", play(Call.get("/a"), app).text());
    assertEquals(List.of(), log);
    assertEquals(1, app.counters().lateErrors());
  }

  @Test
  @DisplayName("RTE-04: a second next is ignored")
  void aSecondNextIsIgnored() {
    App app = new App();
    app.get(
        "/a",
        (req, res, next) -> {
          next.run();
          next.run();
          next.route();
        });
    app.use(says("once"));
    assertEquals(404, play(Call.get("/a"), app).status());
    assertEquals(List.of("once"), log);
    assertEquals(2, app.counters().duplicateNextCalls());
  }

  @Test
  void theMethodIsReadAgainAtEachLayer() {
    App app = new App();
    app.post(
        "/x",
        (req, res, next) -> {
          req.method("PUT");
          next.run();
        });
    app.post("/x", says("no")).put("/x", (req, res) -> res.send("put"));
    assertEquals("put", play(Call.post("/x"), app).text());
  }

  @Test
  void describesThePositionOfARequest() {
    App app = new App();
    app.use("/no", says("no"));
    app.get("/a", says("a"));
    app.use("/admin", (req, res) -> res.send(req.toString()));
    app.get("/at/:x", says("1"), (req, res) -> res.send(req.toString()));
    Reply mounted = play(Call.get("/admin"), app);
    assertTrue(
        mounted
            .text()
            .matches("GET /admin in layer 3 \\(use /admin at StackDispatchTest.java:\\d+\\)"),
        mounted::text);
    Reply routed = play(Call.get("/at/1"), app);
    assertTrue(
        routed
            .text()
            .matches(
                "GET /at/1 in layer 4 \\(get /at/:x at StackDispatchTest.java:\\d+\\), step 2 of 2"),
        routed::text);
  }

  @Test
  void beforeTheFirstMatchThereAreNeitherParametersNorRoute() {
    App app = new App();
    app.use(
        (req, res, next) -> {
          log.add(req.params() + " " + req.route());
          next.run();
        });
    app.post("/:x", says("no")).get("/:x/y", says("no"));
    app.use((req, res) -> res.send(req.params() + " " + req.route()));
    assertEquals("{} null", play(Call.get("/1"), app).text());
    assertEquals(List.of("{} null"), log);
  }

  @Test
  void aTargetInAbsoluteFormIsMatchedByItsPath() {
    App inner = new App();
    inner.get("/user/:id", (req, res) -> res.send(req.params() + " " + req.url()));
    inner.get("/", (req, res) -> res.send("root " + req.url()));
    App app = new App();
    app.use("/in", new App().use("/deep", inner)).use(inner);
    assertEquals("{id=1} http://h:1/user/1?x", play(Call.get("http://h:1/user/1?x"), app).text());
    assertEquals("{id=1} http://h/user/1", play(Call.get("http://h/in/deep/user/1"), app).text());
    assertEquals("root http://h?x", play(Call.get("http://h/in/deep?x"), app).text());
  }

  @Test
  void responseChangesOfAMountedApplicationRemain() {
    App inner = new App();
    inner.use(
        (req, res, next) -> {
          res.status(201).set("X-In", "1").locals().put("a", "b");
          next.run();
        });
    App app = new App();
    app.use("/in", inner).use((req, res) -> res.send(res.locals() + " " + req.url()));
    Reply reply = play(Call.get("/in/x"), app);
    assertEquals(
        "201 1 {a=b} /in/x", reply.status() + " " + reply.header("X-In") + " " + reply.text());
  }

  @Test
  void oneApplicationMayServeSeveralServersAndBeCalled() {
    App app = new App().get("/x", (req, res) -> res.send("x"));
    App caller = new App();
    caller.use((req, res, next) -> app.handle(req, res, next)).use((req, res) -> res.send("rest"));
    Lint lint = new Lint();
    try (MemoryEngine one = new MemoryEngine();
        MemoryEngine two = new MemoryEngine()) {
      assertEquals("x", Call.get("/x").to(one.client(lint.service(app))).text());
      assertEquals("x", Call.get("/x").to(two.client(lint.service(app))).text());
    }
    lint.check();
    assertEquals("x", play(Call.get("/x"), caller).text());
    assertEquals("rest", play(Call.get("/y"), caller).text());
  }

  @Test
  void anApplicationFulfilsTheContractOfMiddleware() {
    App app = new App();
    app.param("id", (req, res, next, id) -> new Thread(next).start());
    app.get("/x", (req, res) -> res.send("x"));
    app.get("/later/:id", (req, res, next) -> new Thread(() -> res.send("later")).start());
    app.get("/passed", (req, res, next) -> next.run());
    app.get("/left", (req, res, next) -> next.route());
    app.get(
        "/fails",
        (req, res) -> {
          throw new IllegalStateException("boom");
        });
    Handler rest = (req, res) -> res.send("rest");
    assertEquals("x", playAsStep(Call.get("/x"), app, rest).text());
    assertEquals("", playAsStep(Call.head("/x"), app, rest).text());
    assertEquals("later", playAsStep(Call.get("/later/1"), app, rest).text());
    for (String passed : List.of("/passed", "/left", "/none")) {
      assertEquals("rest", playAsStep(Call.get(passed), app, rest).text());
    }
    assertEquals("GET,HEAD", playAsStep(Call.options("/x"), app, rest).text());
    assertEquals(500, playAsStep(Call.get("/fails"), app, rest).status());
    assertEquals(400, playAsStep(Call.get("/later/%zz"), app, rest).status());
  }
}
