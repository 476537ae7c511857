package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class StackTest {

  private static final Handler URL = (req, res) -> res.send(req.url());

  private final List<String> log = new ArrayList<>();

  private Middleware says(String word) {
    return (req, res, next) -> {
      log.add(word);
      next.run();
    };
  }

  @Test
  void askedForFirstTheRouterIsTheOnlyPlaceOfTheRoutes() {
    App app = new App();
    app.use(says("before")).use(app.router()).use(says("after")).get("/", says("route"));
    assertEquals(404, Call.get("/").to(app).status());
    assertEquals(List.of("before", "route", "after"), log);
  }

  @Test
  void askedForLaterTheRouterIsAFurtherPlace() {
    App app = new App();
    app.get("/a", says("1")).use("/sub", app.router()).get("/sub/a", says("2"));
    app.use(app.router());
    assertEquals(404, Call.get("/sub/a").to(app).status());
    assertEquals(List.of("1", "2", "2"), log);
  }

  @Test
  void aPlaceOfTheRouterAnswersOptions() {
    App app = new App();
    app.use("/x", app.router()).get("/a", URL);
    assertEquals("GET,HEAD", Call.options("/x/a").to(app).text());
    assertEquals(404, Call.options("/a").to(app).status());
  }

  @Test
  void routingSettingsAreReadByTheFirstRouteAndByTheRouter() {
    App app = new App();
    app.get("/One", URL).enable("case sensitive routing").enable("strict routing");
    app.get("/Two", URL);
    assertEquals(200, Call.get("/one/").to(app).status());
    assertEquals(200, Call.get("/two/").to(app).status());
    Middleware place = app.router();
    app.get("/Three", URL).use(place);
    assertEquals(404, Call.get("/three").to(app).status());
    assertEquals(404, Call.get("/Three/").to(app).status());
    assertEquals(200, Call.get("/Three").to(app).status());
  }

  @Test
  void aMountedApplicationInheritsRoutingSettingsIfMountedBefore() {
    App app = new App();
    app.enable("case sensitive routing");
    App before = new App();
    App after = new App();
    after.get("/Late", URL);
    app.use(before, after);
    before.get("/Early", URL);
    assertEquals(404, Call.get("/early").to(app).status());
    assertEquals(200, Call.get("/late").to(app).status());
  }

  @Test
  void aRequestKeepsTheLayersThatItBeganWith() {
    App app = new App();
    app.use(
        (req, res, next) -> {
          app.use((rq, rs) -> rs.send("new"));
          next.run();
        });
    assertEquals(404, Call.get("/").to(app).status());
    assertEquals("new", Call.get("/").to(app).text());
  }

  @Test
  void definitionsWhileServingDisturbNoRequest() throws InterruptedException {
    App app = new App();
    app.get("/always", URL);
    AtomicBoolean done = new AtomicBoolean();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int number = i;
      Thread writer =
          new Thread(
              () -> {
                for (int j = 0; j < 150; j++) {
                  app.get("/r" + number + "/" + j, URL).use("/u" + number, says("no"));
                  app.routes().get("get").removeIf(one -> one.path().equals("/r" + number + "/0"));
                }
                done.set(true);
              });
      writer.start();
      writers.add(writer);
    }
    int calls = 0;
    while (!done.get() || calls < 200) {
      Reply reply = Call.get("/always").to(app);
      assertEquals("/always", reply.text());
      calls++;
    }
    for (Thread writer : writers) {
      writer.join();
    }
    assertEquals(2 * 149 + 1, app.routes().get("get").size());
    assertEquals(200, Call.get("/r1/149").to(app).status());
    assertTrue(log.isEmpty());
  }

  @Test
  void aWalkKeepsTheRoutesThatItBeganWith() {
    App app = new App();
    app.use(
        (req, res, next) -> {
          app.routes().remove("get");
          app.put("/new", URL);
          next.run();
        });
    app.get("/a", URL).get("/a", says("no")).post("/a", URL);
    Reply first = Call.get("/a").to(app);
    assertEquals("/a", first.text());
    assertEquals(404, Call.get("/a").to(app).status());
    assertEquals("POST", Call.options("/a").to(app).text());
    assertEquals("/new", Call.put("/new").to(app).text());
  }

  @Test
  void aPlaceOfTheRouterKeepsTheRoutesThatItBeganWith() {
    App app = new App();
    app.use(app.router());
    app.get(
        "/a",
        (req, res, next) -> {
          app.routes().clear();
          app.get("/a", (rq, rs) -> rs.send("new"));
          next.run();
        });
    app.get("/a", (req, res) -> res.send("old"));
    assertEquals("old", Call.get("/a").to(app).text());
    assertEquals("new", Call.get("/a").to(app).text());
  }

  @Test
  void aMountedApplicationIsTakenAsItIsWhenARequestEntersIt() {
    App inner = new App();
    App app = new App();
    app.use(
        (req, res, next) -> {
          inner.use((rq, rs) -> rs.send("added before"));
          app.use((rq, rs) -> rs.send("no"));
          next.run();
        });
    app.use(inner);
    assertEquals("added before", Call.get("/").to(app).text());
  }

  @Test
  void aRemovedRouteCountsForNothing() {
    App app = new App();
    app.all("/x", says("all")).put("/x", URL);
    app.routes()
        .replaceAll((verb, routes) -> verb.equals("put") ? routes.subList(1, 2) : List.of());
    assertEquals("PUT", Call.options("/x").to(app).text());
    assertEquals(List.of("put"), List.copyOf(app.routes().keySet()));
    assertEquals("/x", Call.put("/x").to(app).text());
    assertEquals(List.of(), log);
  }
}
