package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Middleware;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplanationTest {

  private static final Middleware PASS = (req, res, next) -> next.run();

  private final App app = new App();

  @Test
  void reportsWhetherEachLayerMatches() {
    app.use(PASS).use("/api", PASS).post("/u/new", PASS).get("/u/:id", PASS);
    assertEquals(List.of("", "mount", "verb", ""), whys("GET", "/u/new?x=1"));
    assertTrue(app.explain("GET", "/u/new").matches());
  }

  @Test
  void reportsTheVerbThatARouteHandles() {
    app.post("/u", PASS);
    assertEquals("route handles POST", app.explain("GET", "/u").layers().get(0).reason());
    assertTrue(app.explain("POST", "/u").matches());
  }

  @Test
  void headMatchesARouteOfGet() {
    app.get("/u", PASS);
    assertTrue(app.explain("HEAD", "/u").matches());
  }

  @Test
  void distinguishesCaseAndSlashFromOtherPaths() {
    app.enable("case sensitive routing").enable("strict routing");
    app.get("/About", PASS);
    assertEquals(List.of("case"), whys("GET", "/about"));
    assertEquals(List.of("strict"), whys("GET", "/About/"));
    assertEquals(List.of("case"), whys("GET", "/about/"));
    assertEquals(List.of("path"), whys("GET", "/abort"));
  }

  @Test
  void layersOfAMountedApplicationFollowItsMount() {
    App inner = new App();
    inner.get("/users", PASS);
    app.use("/Admin", inner);
    Explanation found = app.explain("GET", "/admin/users");
    assertEquals(List.of(0, 1), found.layers().stream().map(Explanation.Line::depth).toList());
    assertTrue(found.matches());
    assertEquals(List.of("mount"), whys("GET", "/administer"));
  }

  @Test
  void routesAreInsideARouterPlacedManually() {
    app.use("/x", app.router());
    app.get("/y", PASS);
    assertTrue(app.explain("GET", "/x/y").matches());
    assertFalse(app.explain("GET", "/y").matches());
  }

  @Test
  void errorHandlersAndAmbiguousPathsAreReported() {
    app.use("/a", (error, req, res, next) -> next.fail(error)).use("/admin", PASS);
    assertEquals(List.of("errors", "ambiguous"), whys("GET", "/admin%2Fx"));
  }

  @Test
  void aRejectedTargetReachesNoLayer() {
    app.get("/", PASS);
    assertEquals(List.of("ambiguous"), whys("GET", "/a/%00"));
  }

  @Test
  void namesTheMostSimilarRoutes() {
    App inner = new App();
    inner.get("/orders/:id", PASS);
    app.get("/users", PASS).get("/users/:id/edit", PASS).get("/", PASS).use("/shop", inner);
    assertTrue(nearest("/user").startsWith("get /users at ExplanationTest.java:"));
    assertTrue(nearest("/users/7/edti").startsWith("get /users/:id/edit at"));
    assertTrue(nearest("/shop/order/9").startsWith("get /shop/orders/:id at"));
    assertEquals(List.of(), app.explain("GET", "/nothing/like/it/at/all").nearest());
  }

  @Test
  void aRouteWithAnotherVerbMayBeTheMostSimilar() {
    app.get("/user", PASS).post("/users", PASS);
    assertTrue(app.explain("GET", "/users").nearest().get(0).startsWith("post /users at"));
  }

  @Test
  void aRouteWithOneMoreParameterIsSimilar() {
    app.post("/users", PASS).get("/items/:id", PASS).get("/orders/:long-name/:id", PASS);
    assertTrue(nearest("/items").startsWith("get /items/:id at"));
    assertEquals(List.of(), app.explain("GET", "/").nearest());
  }

  @Test
  void longPathsAreNotCompared() {
    app.get("/users", PASS);
    assertEquals(List.of(), app.explain("GET", "/" + "u".repeat(4000)).nearest());
  }

  @Test
  void isTextAndJson() {
    app.get("/a&b", PASS);
    Explanation found = app.explain("GET", "/c");
    assertTrue(found.toString().contains("- get /a&b at ExplanationTest.java:"), found.toString());
    assertTrue(found.json().contains("\"layer\":\"get /a\\u0026b\""), found.json());
    assertTrue(found.json().startsWith("{\"method\":\"GET\",\"path\":\"/c\",\"layers\":[{"));
  }

  private List<String> whys(String method, String target) {
    return app.explain(method, target).layers().stream().map(Explanation.Line::why).toList();
  }

  private String nearest(String path) {
    return app.explain("GET", path).nearest().get(0);
  }
}
