package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class RouteMethodsTest {

  private static final Key<String> USER = Key.of("user", String.class);

  private static void required(Request req, Response res, Next next) {
    res.set("X-Auth", "yes");
    next.run();
  }

  private static void show(Request req, Response res) {
    res.send(req.params().get("user"));
  }

  @Test
  void allOverloadsCompileWithoutACast() {
    App app = new App();
    App admin = new App();
    app.set("title", "Shop").set(Settings.JSON_SPACES, 2);
    app.use(RouteMethodsTest::required);
    app.use(RouteMethodsTest::required, (req, res, next) -> next.run());
    app.param(
        "user",
        (req, res, next, id) -> {
          req.attr(USER, "u" + id);
          next.run();
        });
    app.param("user", (req, res, next, id, name) -> next.run());
    app.param(List.of("id", ":uid"), (req, res, next, id) -> next.run());
    app.param("n", Pattern.compile("^\\d+$"));
    app.get("/users/:user", RouteMethodsTest::required, (req, res) -> res.send(req.attr(USER)));
    app.get("/shown/:user", RouteMethodsTest::show);
    app.all("/api/*", RouteMethodsTest::required);
    app.get("/old", (req, res, next) -> next.route());
    app.get(Pattern.compile("^/commits/(\\w+)"), (req, res) -> res.send(req.params().get(0)));
    app.get(Pattern.compile("^/x"), RouteMethodsTest::required, RouteMethodsTest::required);
    Middleware form = RouteMethodsTest::required;
    app.post("/login", form, RouteMethodsTest::required, (req, res) -> res.send("in"));
    app.post("/login", form, form, form, (req, res) -> res.send("in"));
    app.post("/login", Chain.of(form, form, form), (req, res, next) -> next.run());
    app.method("propfind", "/dav/*", RouteMethodsTest::show);
    app.method("propfind", Pattern.compile("^/dav"), (req, res) -> res.send("dav"));
    app.use("/admin", admin);
    app.use("/admin", (req, res) -> res.send("admin"));
    app.use("/admin", (error, req, res, next) -> next.fail(error));
    app.use((req, res) -> res.send("rest"));
    app.use((error, req, res, next) -> res.status(500).send("sorry"));
    assertEquals("Shop", app.get("title"));
    assertEquals(2, app.get(Settings.JSON_SPACES));
    assertEquals("u7", play(Call.get("/users/7"), app).text());
    assertEquals("yes", play(Call.get("/users/7"), app).header("X-Auth"));
    assertEquals("71dbb", play(Call.get("/commits/71dbb"), app).text());
    assertEquals("in", play(Call.post("/login"), app).text());
    assertEquals("dav", play(Call.of("PROPFIND", "/dav"), app).text());
    assertEquals("admin", play(Call.get("/admin/x"), app).text());
  }

  @Test
  void everyVerbDefinesARouteForIt() {
    for (String verb : RequestMethod.ALL) {
      App app = new App();
      app.method(verb, "/x", (req, res) -> res.set("X-Verb", req.method()).send("x"));
      String method = verb.toUpperCase(Locale.ROOT);
      assertEquals(method, play(Call.of(method, "/x"), app).header("X-Verb"));
      assertEquals(List.of(verb), List.copyOf(app.routes().keySet()));
      assertEquals(verb, app.routes().get(verb).get(0).method());
    }
    assertEquals(35, RequestMethod.ALL.size());
  }

  @Test
  void customMethodsNeedMiddleware() {
    App app = new App();
    app.use("/x", (req, res) -> res.send(req.method()));
    assertEquals("FROB", play(Call.of("FROB", "/x"), app).text());
    assertEquals(
        "method(\"Frob\", …): unknown HTTP method; for a custom one call use(…) and check"
            + " req.method()",
        rejection(() -> app.method("Frob", "/x", (req, res) -> res.end())));
  }

  @Test
  void anInvalidVerbIsRejected() {
    App app = new App();
    for (String verb : List.of("", "a b", "gét", "a/b")) {
      IllegalArgumentException error =
          assertThrows(
              IllegalArgumentException.class, () -> app.method(verb, "/", (req, res) -> res.end()));
      assertEquals("method(\"" + verb + "\", …): unknown HTTP method", error.getMessage());
    }
  }

  @Test
  void eachNamedVerbHasTheSameSevenOverloads() {
    Map<String, Integer> forms = new TreeMap<>();
    for (Method method : RouteMethods.class.getDeclaredMethods()) {
      forms.merge(method.getName(), 1, Integer::sum);
    }
    assertEquals(1, forms.remove("define"));
    assertEquals(
        Arrays.asList(
            "all", "del", "delete", "get", "head", "method", "options", "patch", "post", "put"),
        List.copyOf(forms.keySet()));
    forms.forEach((name, count) -> assertEquals(7, count, name));
  }

  @Test
  void theVerbsOfOnePathCanBeChained() {
    App app = new App();
    app.route("/books/:id")
        .all(RouteMethodsTest::required)
        .get((req, res) -> res.send("got " + req.params().get("id")))
        .put(RouteMethodsTest::required, (req, res) -> res.send("put"))
        .patch(
            (req, res, next) -> next.run(),
            RouteMethodsTest::required,
            (req, res) -> res.send("patch"))
        .method("propfind", (req, res) -> res.send("found"));
    assertEquals("got 7", play(Call.get("/books/7"), app).text());
    assertEquals("yes", play(Call.get("/books/7"), app).header("X-Auth"));
    assertEquals("put", play(Call.put("/books/7"), app).text());
    assertEquals("patch", play(Call.of("PATCH", "/books/7"), app).text());
    assertEquals("found", play(Call.of("PROPFIND", "/books/7"), app).text());
    assertEquals(404, play(Call.delete("/books/7"), app).status());
    String shown = app.routes().get("put").get(0).toString();
    assertTrue(shown.startsWith("put /books/:id at RouteMethodsTest.java:"), shown);
  }

  @Test
  void theVerbsOfOnePathHaveTheSameFiveOverloads() {
    Map<String, Integer> forms = new TreeMap<>();
    for (Method method : RouteBuilder.class.getMethods()) {
      if (method.getReturnType() == RouteBuilder.class) {
        forms.merge(method.getName(), 1, Integer::sum);
      }
    }
    assertEquals(
        List.of("all", "delete", "get", "head", "method", "options", "patch", "post", "put"),
        List.copyOf(forms.keySet()));
    forms.forEach((name, count) -> assertEquals(5, count, name));
  }

  @Test
  void aGroupHandlesOnlyPathsBelowItsPrefix() {
    App app = new App();
    app.set("strict routing", true);
    app.group(
        "/admin",
        admin -> {
          admin.use(RouteMethodsTest::required);
          admin.get("/users", (req, res) -> res.send(req.path() + " of " + admin.mountPath()));
        });
    app.get("/users", (req, res) -> res.send("all"));
    assertEquals("/users of /admin", play(Call.get("/admin/users"), app).text());
    assertEquals("yes", play(Call.get("/admin/users"), app).header("X-Auth"));
    assertEquals(404, play(Call.get("/admin/users/"), app).status());
    assertEquals("all", play(Call.get("/users"), app).text());
    assertNull(play(Call.get("/users"), app).header("X-Auth"));
    assertEquals(
        "use(\"admin\", …): path must start with \"/\"",
        rejection(() -> app.group("admin", admin -> {})));
    assertThrows(NullPointerException.class, () -> app.group("/admin", null));
  }

  @Test
  void aMiddlewareBeforeAHandlerNeedsNoChain() {
    App app = new App();
    app.use("/a", (req, res, next) -> next.run(), (req, res) -> res.send("a"));
    app.use(RouteMethodsTest::required, (req, res) -> res.send("rest"));
    assertEquals("a", play(Call.get("/a"), app).text());
    assertEquals("rest", play(Call.get("/b"), app).text());
    assertEquals("yes", play(Call.get("/b"), app).header("X-Auth"));
  }

  @Test
  void delIsDelete() {
    App app = new App();
    app.del("/x", (req, res) -> res.send("gone"));
    assertEquals("gone", play(Call.delete("/x"), app).text());
    assertNull(app.routes().get("del"));
    assertEquals("delete", app.routes().get("delete").get(0).method());
  }

  @Test
  void definitionErrorsNameCallValueAndRule() {
    App app = new App();
    assertEquals("post(\"\", …): path must not be empty", rejection(() -> app.post("")));
    assertEquals("delete(\"\", …): path must not be empty", rejection(() -> app.del("")));
    assertEquals(
        "get(\"users\", …): path must start with \"/\"",
        rejection(() -> app.get("users", RouteMethodsTest::show)));
    assertEquals(
        "use(\"/x\", …) needs at least one middleware or handler", rejection(() -> app.use("/x")));
    assertEquals(
        "put(\"/x\", …): middleware must not be null",
        rejection(() -> app.put("/x", RouteMethodsTest::required, (Middleware) null)));
    assertEquals(
        "get(\"/users\"): a route needs a handler, and a setting name must not start with \"/\"",
        rejection(() -> app.get("/users")));
  }

  @Test
  void aRouteWithoutHandlersPassesOn() {
    App app = new App();
    app.post("/x").all("/x", (req, res) -> res.send("all"));
    assertEquals("all", play(Call.post("/x"), app).text());
  }

  @Test
  void middlewareOfChainsIsListedOneByOne() {
    ErrorHandler last = (error, req, res, next) -> next.fail(error);
    App app = new App();
    app.get("/x", Chain.of(RouteMethodsTest::required, Chain.of(RouteMethodsTest::required)), last);
    assertEquals(3, app.routes().get("get").get(0).callbacks().size());
  }

  private static String rejection(Runnable definition) {
    return assertThrows(IllegalArgumentException.class, definition::run).getMessage();
  }

  @Test
  void aRouteWithoutHandlersCountsForOptionsAndIsListed() {
    App app = new App();
    app.post("/x").put("/x", Chain.of());
    assertEquals("POST,PUT", play(Call.options("/x"), app).text());
    assertEquals(404, play(Call.post("/x"), app).status());
    assertEquals(List.of(), app.routes().get("post").get(0).callbacks());
  }

  @Test
  void nestedChainsRunInOrder() {
    StringBuilder log = new StringBuilder();
    Middleware[] says = new Middleware[5];
    for (int i = 0; i < says.length; i++) {
      String word = i + " ";
      says[i] = (req, res, next) -> passOn(log.append(word), next);
    }
    App app = new App();
    Chain deep = Chain.of(says[1], Chain.of(Chain.of(says[2]), Chain.of(), says[3]));
    app.get("/x", says[0], deep, says[4], (req, res) -> res.send(log.toString()));
    assertEquals("0 1 2 3 4 ", play(Call.get("/x"), app).text());
    assertEquals(6, app.routes().get("get").get(0).callbacks().size());
    app.get("/left", Chain.of((req, res, next) -> next.route(), says[0]), says[1]);
    app.get("/left", (req, res) -> res.send("left"));
    assertEquals("left", play(Call.get("/left"), app).text());
  }

  @Test
  void upToThreeMiddlewareBeforeAHandlerNeedNoCast() {
    App app = new App();
    app.get("/0", (req, res) -> res.send("0"));
    app.put("/1", (req, res, next) -> next.run(), (req, res) -> res.send("1"));
    app.del(
        "/2",
        RouteMethodsTest::required,
        (req, res, next) -> next.run(),
        (req, res) -> res.send("2"));
    app.method(
        "MKCOL",
        "/3",
        (req, res, next) -> next.run(),
        RouteMethodsTest::required,
        (req, res, next) -> next.run(),
        (req, res) -> res.send("3"));
    app.all(
        "/4",
        Chain.of(RouteMethodsTest::required, RouteMethodsTest::required),
        (req, res) -> res.send("4"));
    assertEquals("0", play(Call.get("/0"), app).text());
    assertEquals("1", play(Call.put("/1"), app).text());
    assertEquals("2", play(Call.delete("/2"), app).text());
    assertEquals("3", play(Call.of("MKCOL", "/3"), app).text());
    assertEquals("4", play(Call.post("/4"), app).text());
  }

  private static void passOn(StringBuilder log, Next next) {
    assertNotNull(log);
    next.run();
  }
}
