package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
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
  void aRouterBeforeTheFirstRouteIsTheirOnlyPosition() {
    App app = new App();
    app.use(says("before")).use(app.router()).use(says("after")).get("/", says("route"));
    assertEquals(404, play(Call.get("/"), app).status());
    assertEquals(List.of("before", "route", "after"), log);
  }

  @Test
  void aLaterRouterIsAnAdditionalPosition() {
    App app = new App();
    app.get("/a", says("1")).use("/sub", app.router()).get("/sub/a", says("2"));
    app.use(app.router());
    assertEquals(404, play(Call.get("/sub/a"), app).status());
    assertEquals(List.of("1", "2", "2"), log);
  }

  @Test
  void aRouterRespondsToOptions() {
    App app = new App();
    app.use("/x", app.router()).get("/a", URL);
    assertEquals("GET,HEAD", play(Call.options("/x/a"), app).text());
    assertEquals(404, play(Call.options("/a"), app).status());
  }

  @Test
  void routingSettingsAreReadByTheFirstRouteAndByTheRouter() {
    App app = new App();
    app.get("/One", URL).enable("case sensitive routing").enable("strict routing");
    app.get("/Two", URL);
    assertEquals(200, play(Call.get("/one/"), app).status());
    assertEquals(200, play(Call.get("/two/"), app).status());
    Middleware place = app.router();
    app.get("/Three", URL).use(place);
    assertEquals(404, play(Call.get("/three"), app).status());
    assertEquals(404, play(Call.get("/Three/"), app).status());
    assertEquals(200, play(Call.get("/Three"), app).status());
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
    assertEquals(404, play(Call.get("/early"), app).status());
    assertEquals(200, play(Call.get("/late"), app).status());
  }

  @Test
  void aRequestKeepsTheLayersThatItStartedWith() {
    App app = new App();
    app.use(
        (req, res, next) -> {
          app.use((rq, rs) -> rs.send("new"));
          next.run();
        });
    assertEquals(404, play(Call.get("/"), app).status());
    assertEquals("new", play(Call.get("/"), app).text());
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
      Reply reply = play(Call.get("/always"), app);
      assertEquals("/always", reply.text());
      calls++;
    }
    for (Thread writer : writers) {
      writer.join();
    }
    assertEquals(2 * 149 + 1, app.routes().get("get").size());
    assertEquals(200, play(Call.get("/r1/149"), app).status());
    assertTrue(log.isEmpty());
  }

  @Test
  void aDispatchKeepsTheRoutesThatItStartedWith() {
    App app = new App();
    app.use(
        (req, res, next) -> {
          app.routes().remove("get");
          app.put("/new", URL);
          next.run();
        });
    app.get("/a", URL).get("/a", says("no")).post("/a", URL);
    Reply first = play(Call.get("/a"), app);
    assertEquals("/a", first.text());
    assertEquals(404, play(Call.get("/a"), app).status());
    assertEquals("POST", play(Call.options("/a"), app).text());
    assertEquals("/new", play(Call.put("/new"), app).text());
  }

  @Test
  void aRouterKeepsTheRoutesThatItStartedWith() {
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
    assertEquals("old", play(Call.get("/a"), app).text());
    assertEquals("new", play(Call.get("/a"), app).text());
  }

  @Test
  void aMountedApplicationIsReadWhenARequestEntersIt() {
    App inner = new App();
    App app = new App();
    app.use(
        (req, res, next) -> {
          inner.use((rq, rs) -> rs.send("added before"));
          app.use((rq, rs) -> rs.send("no"));
          next.run();
        });
    app.use(inner);
    assertEquals("added before", play(Call.get("/"), app).text());
  }

  @Test
  void aRemovedRouteHasNoEffect() {
    App app = new App();
    app.all("/x", says("all")).put("/x", URL);
    app.routes()
        .replaceAll((verb, routes) -> verb.equals("put") ? routes.subList(1, 2) : List.of());
    assertEquals("PUT", play(Call.options("/x"), app).text());
    assertEquals(List.of("put"), List.copyOf(app.routes().keySet()));
    assertEquals("/x", play(Call.put("/x"), app).text());
    assertEquals(List.of(), log);
  }
}
