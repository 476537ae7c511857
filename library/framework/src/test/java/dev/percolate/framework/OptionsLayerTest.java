package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.core.Handler;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OptionsLayerTest {

  private static final Handler OK = (req, res) -> res.send("ok");

  @Test
  void theResponseListsTheVerbsOfMatchingRoutesInOrder() {
    App app = new App();
    app.put("/x", OK).get("/:y", OK).post("/z", OK).method("bind", "/x", OK);
    Reply reply = play(Call.options("/x"), app);
    assertEquals(200, reply.status());
    assertEquals("BIND,GET,HEAD,PUT", reply.header("Allow"));
    assertEquals("BIND,GET,HEAD,PUT", reply.text());
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
  }

  @Test
  void getImpliesHeadAndHeadAloneCounts() {
    App app = new App();
    app.head("/a", OK).get("/b", OK);
    assertEquals("HEAD", play(Call.options("/a"), app).header("Allow"));
    assertEquals("GET,HEAD", play(Call.options("/b"), app).header("Allow"));
  }

  @Test
  void routesForOptionsComeFirst() {
    App app = new App();
    app.get("/x", OK)
        .options(
            "/x",
            (req, res, next) -> {
              res.set("X-Own", "1");
              next.run();
            });
    app.options("/own", OK);
    assertEquals("ok", play(Call.options("/own"), app).text());
    assertEquals("GET,HEAD", play(Call.options("/x"), app).text());
    assertEquals("1", play(Call.options("/x"), app).header("X-Own"));
  }

  @Test
  void withoutAMatchTheChainContinues() {
    App app = new App();
    app.get("/x", OK).use((req, res) -> res.send("rest"));
    assertEquals("rest", play(Call.options("/y"), app).text());
    App recorded = new App().set(AppSettings.express()).use(OK).get("*", OK);
    Reply none = play(Call.options("*"), recorded);
    assertNull(none.header("Allow"));
    assertEquals("404 Cannot OPTIONS *\n", none.status() + " " + none.text());
  }

  @Test
  void theServerItselfRespondsToAnAsteriskUnlessTheSettingIsOff() {
    App app = new App();
    app.use((req, res) -> res.send("never")).options("*", OK);
    Reply reply = play(Call.options("*"), app);
    assertEquals(
        "200 0 ", reply.status() + " " + reply.header("Content-Length") + " " + reply.text());
    assertEquals("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS", reply.header("Allow"));
    assertNull(reply.header("Connection"));
    assertEquals(400, play(Call.get("*"), app).status());
    assertEquals(404, play(Call.options("*"), app.disable("server options")).status());
  }

  @Test
  void theResponseIsSentAfterTheLastRoute() {
    List<String> log = new ArrayList<>();
    App app = new App();
    app.get("/x", OK)
        .use(
            (req, res, next) -> {
              log.add("between");
              next.run();
            });
    app.get("/other", OK)
        .use(
            (req, res, next) -> {
              log.add("no");
              next.run();
            });
    assertEquals("GET,HEAD", play(Call.options("/x"), app).text());
    assertEquals(List.of("between"), log);
  }

  @Test
  void aPendingErrorGoesToTheErrorHandlers() {
    App app = new App();
    app.options("/x", (req, res, next) -> next.fail(new IllegalStateException("boom")));
    app.get("/x", OK).use((error, req, res, next) -> res.send(error.getMessage()));
    assertEquals("boom", play(Call.options("/x"), app).text());
  }

  @Test
  void anUndecodableParameterIsAClientError() {
    App app = new App();
    app.get("/:x", OK).use((error, req, res, next) -> res.send(error.getMessage()));
    assertEquals("Failed to decode param '%'", play(Call.options("/%"), app).text());
  }

  @Test
  void aHeadRequestUsesRoutesForHeadAndGetInOrder() {
    List<String> log = new ArrayList<>();
    App app = new App();
    app.all(
        "/x",
        (req, res, next) -> {
          log.add(((Route) req.route()).method());
          next.run();
        });
    app.get(
        "/x",
        (req, res, next) -> {
          log.add(((Route) req.route()).method());
          next.run();
        });
    app.head(
        "/x",
        (req, res, next) -> {
          log.add("own");
          next.run();
        });
    app.get("/x", OK).head("/x", (req, res) -> log.add("no"));
    Reply reply = play(Call.head("/x"), app);
    assertEquals(List.of("head", "get", "own"), log);
    assertEquals("2", reply.header("Content-Length"));
    assertEquals("", reply.text());
  }
}
