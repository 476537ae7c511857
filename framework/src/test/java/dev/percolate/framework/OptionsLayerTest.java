package dev.percolate.framework;

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
  void theAnswerListsTheVerbsOfMatchingRoutesInOrder() {
    App app = new App();
    app.put("/x", OK).get("/:y", OK).post("/z", OK).verb("frob", "/x", OK);
    Reply reply = Call.options("/x").to(app);
    assertEquals(200, reply.status());
    assertEquals("FROB,GET,HEAD,PUT", reply.header("Allow"));
    assertEquals("FROB,GET,HEAD,PUT", reply.text());
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
  }

  @Test
  void getImpliesHeadAndHeadAloneCounts() {
    App app = new App();
    app.head("/a", OK).get("/b", OK);
    assertEquals("HEAD", Call.options("/a").to(app).header("Allow"));
    assertEquals("GET,HEAD", Call.options("/b").to(app).header("Allow"));
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
    assertEquals("ok", Call.options("/own").to(app).text());
    assertEquals("GET,HEAD", Call.options("/x").to(app).text());
    assertEquals("1", Call.options("/x").to(app).header("X-Own"));
  }

  @Test
  void withoutAMatchTheChainGoesOn() {
    App app = new App();
    app.get("/x", OK).use((req, res) -> res.send("rest"));
    assertEquals("rest", Call.options("/y").to(app).text());
    assertNull(Call.options("*").to(new App().get("*", OK)).header("Allow"));
    assertEquals(404, Call.options("*").to(new App().get("*", OK)).status());
  }

  @Test
  void theAnswerStandsBehindTheLastRoute() {
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
    assertEquals("GET,HEAD", Call.options("/x").to(app).text());
    assertEquals(List.of("between"), log);
  }

  @Test
  void anErrorPendingThereGoesToTheErrorHandlers() {
    App app = new App();
    app.options("/x", (req, res, next) -> next.fail(new IllegalStateException("boom")));
    app.get("/x", OK).use((error, req, res, next) -> res.send(error.getMessage()));
    assertEquals("boom", Call.options("/x").to(app).text());
  }

  @Test
  void aParameterThatCannotBeDecodedIsTheClientsFault() {
    App app = new App();
    app.get("/:x", OK).use((error, req, res, next) -> res.send(error.getMessage()));
    assertEquals("Failed to decode param '%'", Call.options("/%").to(app).text());
  }

  @Test
  void aHeadRequestTakesRoutesForHeadAndGetInTheirOrder() {
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
    Reply reply = Call.head("/x").to(app);
    assertEquals(List.of("head", "get", "own"), log);
    assertEquals("2", reply.header("Content-Length"));
    assertEquals("", reply.text());
  }
}
