package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.testkit.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class RouteTableTest {

  private static final Handler OK = (req, res) -> res.send("ok");

  @Test
  void recordsShowRoutesAsTheyWereDefined() {
    App app = new App();
    Pattern expression = Pattern.compile("^/x$", Pattern.CASE_INSENSITIVE);
    app.get("/user/:id", OK).get(expression, OK);
    List<Route> routes = app.routes().get("get");
    assertEquals("/user/:id", routes.get(0).path());
    assertEquals("get", routes.get(0).method());
    assertEquals(List.of(OK), routes.get(0).callbacks());
    assertEquals(List.of(new PathPattern.Parameter("id", false)), routes.get(0).keys());
    assertEquals("^\\/user\\/(?:([^\\/]+?))\\/?$", routes.get(0).regexp().source());
    assertSame(expression, routes.get(1).path());
    assertEquals(new PathPattern.Regexp("^/x$", "i"), routes.get(1).regexp());
    assertTrue(routes.get(0).toString().startsWith("get /user/:id at RouteTableTest.java:"));
  }

  @Test
  void allIsOneRecordForEachVerb() {
    App app = new App();
    app.all("/x", OK);
    assertEquals(List.copyOf(RequestMethod.ALL), List.copyOf(app.routes().keySet()));
  }

  @Test
  void aVerbWithoutRoutesIsAbsent() {
    App app = new App();
    assertEquals(Map.of(), app.routes());
    assertNull(app.routes().get("get"));
  }

  @Test
  void theViewIsLive() {
    App app = new App();
    Map<String, List<Route>> routes = app.routes();
    app.get("/a", OK).get("/b", OK).get("/c", OK).post("/a", OK).put("/a", OK).patch("/a", OK);
    List<Route> gets = routes.get("get");
    assertEquals(3, gets.size());
    gets.remove(0);
    assertEquals(404, play(Call.get("/a"), app).status());
    gets.removeIf(one -> one.path().equals("/b"));
    assertEquals(404, play(Call.get("/b"), app).status());
    assertEquals(200, play(Call.get("/c"), app).status());
    gets.clear();
    routes.put("post", new ArrayList<>());
    routes.remove("put");
    routes.keySet().removeIf("patch"::equals);
    assertEquals(Map.of(), routes);
    assertEquals(404, play(Call.post("/a"), app).status());
  }

  @Test
  void oneVerbOfAllCanBeRemoved() {
    App app = new App();
    app.all("/x", OK);
    app.routes().get("get").remove(0);
    assertEquals(404, play(Call.get("/x"), app).status());
    assertEquals(200, play(Call.post("/x"), app).status());
    assertEquals(200, play(Call.head("/x"), app).status());
  }

  @Test
  void aForeignRecordIsRejected() {
    App app = new App();
    App other = new App().get("/x", OK);
    assertThrows(
        IllegalArgumentException.class, () -> app.routes().put("get", other.routes().get("get")));
  }
}
