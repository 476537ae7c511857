package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import java.util.List;
import org.junit.jupiter.api.Test;

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
