package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.testkit.MapAssert;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class AppMapTest {

  private static final Middleware PASS = (req, res, next) -> next.run();

  private final App app = new App();

  @Test
  void listsLayersInOrderWithSourceLines() {
    App inner = new App();
    inner.get("/users", PASS, (req, res) -> res.send("x"));
    app.use(new Named()).all("/x/:y", Chain.of(PASS, new Named())).use("/admin", inner);
    app.use((error, req, res, next) -> next.fail(error));
    List<AppMap.Entry> entries = app.map().entries();
    assertEquals(List.of("use", "all", "use", "use"), kinds(entries));
    assertEquals(List.of("AppMapTest$Named"), entries.get(0).steps());
    assertEquals(List.of("lambda of AppMapTest", "AppMapTest$Named"), entries.get(1).steps());
    assertEquals("/admin/users", entries.get(2).inner().get(0).path());
    assertEquals(2, entries.get(2).inner().get(0).steps().size());
    assertTrue(entries.get(3).errors());
    assertTrue(entries.get(0).origin().startsWith("AppMapTest.java:"), entries.get(0).origin());
  }

  @Test
  void showsRoutesAtThePositionOfTheRouter() {
    app.use(app.router());
    app.get("/y", PASS);
    AppMap.Entry place = app.map().entries().get(0);
    assertEquals(List.of("router"), place.steps());
    assertEquals("/y", place.inner().get(0).path());
  }

  @Test
  void textHasALineForEachLayer() {
    App inner = new App();
    inner.get("/users", PASS);
    app.use("/admin", inner);
    List<String> lines = app.map().toString().lines().toList();
    assertTrue(lines.get(0).startsWith("use     /admin"), lines.get(0));
    assertTrue(lines.get(1).startsWith("  get     /admin/users"), lines.get(1));
  }

  @Test
  void isJson() {
    app.get("/y", new Named());
    String json = app.map().json();
    String begin =
        "[{\"kind\":\"get\",\"path\":\"/y\",\"steps\":[\"AppMapTest$Named\"],\"origin\":";
    assertTrue(json.startsWith(begin), json);
  }

  @Test
  void theOutlineHasNoSourceLines() {
    app.use(new Named()).use("/admin", new App().get("/users", PASS));
    String outline =
        """
        use     /                        AppMapTest$Named
        use     /admin                   App
          get     /admin/users             lambda of AppMapTest
        """;
    assertEquals(outline, app.map().outline());
  }

  @Test
  void assertionsFindLayers() {
    app.use("/admin", new App().use(new Named()).get("/users", PASS)).get("/x", new Named());
    MapAssert map = MapAssert.of(app.map().value());
    map.has("use /admin").has("get /admin/users").hasNot("get /users");
    String absent = failure(() -> map.has("get /users"));
    String layers = ". The layers are:\nuse /admin\nuse /admin\nget /admin/users\nget /x";
    assertEquals("there is no layer get /users" + layers, absent);
    String present = failure(() -> map.hasNot("get /x"));
    assertEquals("there is a layer get /x" + layers, present);
  }

  @Test
  void assertionsFindRoutesWithoutAMiddleware() {
    app.get("/admin", PASS).use("/admin", new Named()).get("/admin/x", PASS);
    app.get("/x", new Named(), PASS).get("/administration", PASS);
    MapAssert map = MapAssert.of(app.map().value()).requires("/x", Named.class);
    map.requires("/admin/x", Named.class);
    String missing = failure(() -> map.requires("/admin", Named.class));
    assertTrue(missing.startsWith("get /admin at AppMapTest.java:"), missing);
    assertTrue(missing.contains(" has no AppMapTest$Named before it. The layers"), missing);
    String unused = failure(() -> map.requires("/amdin", Named.class));
    assertTrue(unused.startsWith("there is no route below /amdin. "), unused);
  }

  private static String failure(Executable assertion) {
    return String.valueOf(assertThrows(AssertionError.class, assertion).getMessage());
  }

  private static List<String> kinds(List<AppMap.Entry> entries) {
    return entries.stream().map(AppMap.Entry::kind).toList();
  }

  private static final class Named implements Middleware {

    @Override
    public void handle(
        dev.percolate.core.Request req,
        dev.percolate.core.Response res,
        dev.percolate.core.Next next) {
      next.run();
    }
  }
}
