package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Code of the page on routing. */
final class RoutingGuideTest {

  @Test
  void routesMatchInTheOrderOfTheirDefinition() {
    // #region routes
    App app = new App();
    app.get("/", (req, res) -> res.send("home"));
    app.get("/users/new", (req, res) -> res.send("a form"));
    app.get("/users/:id", (req, res) -> res.send("user " + req.params().get("id")));
    app.all("/echo", (req, res) -> res.send(req.method()));
    app.method("propfind", "/dav/*", (req, res) -> res.sendStatus(207));
    // #endregion routes
    assertEquals("a form", Call.get("/users/new").to(app).text());
    assertEquals("user 7", Call.get("/users/7").to(app).text());
    assertEquals("PATCH", Call.patch("/echo").to(app).text());
    assertEquals(207, Call.of("PROPFIND", "/dav/x").to(app).status());
    assertEquals(404, Call.put("/users/7").to(app).status());
  }

  @Test
  void routesAndGroupsShareAPath() {
    // #region groups
    App app = new App();
    app.route("/books")
        .get((req, res) -> res.send("all books"))
        .post((req, res) -> res.status(201).send("one more"));
    app.group("/admin", admin -> admin.get("/books", (req, res) -> res.send("for the owner")));
    // #endregion groups
    assertEquals("all books", Call.get("/books").to(app).text());
    assertEquals(201, Call.post("/books").to(app).status());
    assertEquals("for the owner", Call.get("/admin/books").to(app).text());
  }

  @Test
  void aMountedApplicationSeesItsOwnPaths() {
    // #region mount
    App shop = new App();
    shop.get("/cart", (req, res) -> res.send(req.path() + " of " + req.originalUrl()));

    App app = new App();
    app.use("/shop", shop);
    // #endregion mount
    assertEquals("/cart of /shop/cart", Call.get("/shop/cart").to(app).text());
    assertEquals(404, Call.get("/shopping/cart").to(app).status());
  }

  @Test
  void regularExpressionsHaveNumberedGroups() {
    // #region expression
    App app = new App();
    app.get(
        Pattern.compile("^/commits/(\\w+)(?:\\.\\.(\\w+))?$"),
        (req, res) -> res.send("from " + req.params().get(0) + " to " + req.params().get(1)));
    // #endregion expression
    assertEquals("from 71a to 9f2", Call.get("/commits/71a..9f2").to(app).text());
  }

  @Test
  void nextRouteLeavesTheRoute() {
    // #region next-route
    App app = new App();
    app.get(
        "/",
        (req, res, next) -> {
          if (req.query("preview") == null) {
            next.route();
          } else {
            next.run();
          }
        },
        (req, res) -> res.send("the new page"));
    app.get("/", (req, res) -> res.send("the old page"));
    // #endregion next-route
    assertEquals("the old page", Call.get("/").to(app).text());
    assertEquals("the new page", Call.get("/?preview=1").to(app).text());
  }

  @Test
  void theListOfRoutesCanBeRead() {
    // #region list
    App app = new App();
    app.get("/users/:id", (req, res) -> res.send("…"));
    StringBuilder list = new StringBuilder();
    app.routes()
        .forEach(
            (verb, routes) ->
                routes.forEach(route -> list.append(verb + " " + route.path() + "\n")));
    // #endregion list
    assertTrue(list.toString().contains("get /users/:id"), list::toString);
  }
}
