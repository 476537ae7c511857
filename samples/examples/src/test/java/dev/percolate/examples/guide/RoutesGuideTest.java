package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.framework.App;
import dev.percolate.middleware.BasicAuth;
import dev.percolate.openapi.Api;
import dev.percolate.openapi.OpenApi;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.MapAssert;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.Snapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Code of the page on testing: calls, routes and API documents as files. */
final class RoutesGuideTest {

  private static App app() {
    App app = new App();
    app.get("/users/:id", Api.of("Reads a user"), (req, res) -> res.send("u"));
    app.use("/admin", BasicAuth.of("admin", "open sesame"));
    app.get("/admin/users", (req, res) -> res.send("a"));
    return app;
  }

  // #region call
  @Test
  void aUserIsRead() {
    Reply reply = Call.get("/users/7").to(app());
    assertEquals(200, reply.status());
    assertEquals("u", reply.text());
  }

  @Test
  void onlyTheAdminSeesAllUsers() {
    assertEquals(401, Call.get("/admin/users").to(app()).status());
  }

  // #endregion call

  @Test
  void routesAndDocumentAreThoseOfTheFiles() throws Exception {
    App app = app();
    // #region snapshot
    Snapshot.check(Path.of("src/test/snapshots/routes.txt"), app.map().outline());
    Snapshot.checkJson(Path.of("src/test/snapshots/openapi.json"), OpenApi.of(app).document());
    // #endregion snapshot
    assertEquals(3, Files.readAllLines(Path.of("src/test/snapshots/routes.txt")).size());
  }

  @Test
  void layersAreChecked() {
    App app = app();
    // #region assert
    MapAssert.of(app.map().value())
        .has("get /users/:id")
        .hasNot("all /debug")
        .requires("/admin", BasicAuth.class);
    // #endregion assert
  }
}
