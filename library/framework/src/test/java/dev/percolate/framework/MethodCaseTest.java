package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.http.HttpError;
import dev.percolate.http.KnownMethods;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that methods are case-sensitive (RFC 9110 section 9.1): a method in another letter case is
 * another method, and matches no route for the known one. So routes never see more than guards.
 */
final class MethodCaseTest {

  private static final Handler OK = (req, res) -> res.send("route");

  @Test
  void noRouteMatchesItsMethodInAnotherLetterCase() {
    for (String known : KnownMethods.ALL) {
      App app = new App();
      app.method(known, "/x", OK);
      String lower = known.toLowerCase(Locale.ROOT);
      String mixed = lower.substring(0, 1).toUpperCase(Locale.ROOT) + lower.substring(1);
      assertEquals(200, play(Call.of(known, "/x"), app).status(), known);
      for (String other : List.of(lower, mixed)) {
        Reply reply = play(Call.of(other, "/x"), app);
        assertEquals(404, reply.status(), other);
        assertEquals("Cannot " + other + " /x\n", reply.text());
      }
    }
  }

  @Test
  void aVerbIsDefinedInAnyLetterCase() {
    App app = new App();
    app.method("PropFind", "/x", OK).method("REPORT", "/x", OK);
    assertEquals("route", play(Call.of("PROPFIND", "/x"), app).text());
    assertEquals("route", play(Call.of("REPORT", "/x"), app).text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"post", "Post", "pOST", "POST"})
  void aGuardThatComparesMethodsSeesTheRequestsOfTheRoute(String method) {
    App app = new App();
    app.use(
        "/g",
        (req, res, next) -> {
          if (req.method().equals("POST")) {
            throw new HttpError(403, "guarded");
          }
          next.run();
        });
    app.post("/g/x", OK);
    assertEquals(method.equals("POST") ? 403 : 404, play(Call.of(method, "/g/x"), app).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"get", "Get", "head", "FROB", "frob", "all", "ALL"})
  void aRouteForEveryVerbGuardsEveryMethod(String method) {
    App app = new App();
    app.all(
        "/admin/*",
        (req, res, next) -> {
          assertEquals("all", assertNotNullRoute(req.route()).method());
          throw new HttpError(401, "guarded");
        });
    app.use("/admin", (req, res) -> res.send("admin"));
    assertEquals(401, play(Call.of(method, "/admin/x"), app).status());
    assertEquals("admin", play(Call.of(method, "/admin"), app).text());
  }

  private static Route assertNotNullRoute(Object route) {
    assertNotNull(route);
    return (Route) route;
  }

  @Test
  void aRouteForEveryVerbGuardsOtherMethodsUntilItIsRemoved() {
    App app = new App();
    app.all("/x", OK);
    app.routes().remove("get");
    assertEquals(404, play(Call.get("/x"), app).status());
    assertEquals("route", play(Call.of("get", "/x"), app).text());
    List.copyOf(app.routes().keySet()).forEach(verb -> app.routes().remove(verb));
    assertEquals(404, play(Call.of("get", "/x"), app).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"head", "Head"})
  void headInAnotherLetterCaseIsNotHead(String method) {
    App app = new App();
    app.get("/x", OK).use("/any", (req, res) -> res.send("body"));
    assertEquals(404, play(Call.of(method, "/x"), app).status());
    assertEquals("body", play(Call.of(method, "/any"), app).text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"options", "Options"})
  void optionsInAnotherLetterCaseGetsNoAutomaticResponse(String method) {
    App app = new App();
    app.get("/x", OK);
    assertEquals("GET,HEAD", play(Call.options("/x"), app).header("Allow"));
    assertEquals(404, play(Call.of(method, "/x"), app).status());
  }

  @Test
  void aMethodThatAnApplicationSetsIsComparedExactlyToo() {
    App app = new App();
    app.use(
        (req, res, next) -> {
          req.method(String.valueOf(req.get("X-Set")));
          next.run();
        });
    app.delete("/x", OK);
    assertEquals("route", play(Call.get("/x").header("X-Set", "DELETE"), app).text());
    assertEquals(404, play(Call.get("/x").header("X-Set", "delete"), app).status());
  }

  @Test
  void anExplanationSaysThatMethodsAreCaseSensitive() {
    App app = new App();
    app.get("/x", OK).all("/y", OK);
    assertFalse(app.explain("get", "/x").matches());
    String shown = app.explain("get", "/x").toString();
    assertTrue(shown.contains("route handles GET; methods are case-sensitive"), shown);
    assertTrue(app.explain("get", "/y").matches());
    assertFalse(app.explain("POST", "/x").toString().contains("case-sensitive"));
  }
}
