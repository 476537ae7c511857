package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Handler;
import dev.percolate.testkit.Call;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MountPointTest {

  private static final Handler LOGIN = (req, res) -> res.location("login").end();

  private static String location(App app, String target) {
    return play(Call.get(target), app).header("Location");
  }

  @ParameterizedTest
  @CsvSource({
    "/,/,/login",
    "/t/,/,/t/login",
    "/,/t,/t/login",
    "/t//,/u/,/t/u/login",
    "/blog,/admin,/blog/admin/login"
  })
  void aRelativeLocationHasOneSlashAtEachSeam(String outer, String inner, String expected) {
    App app = new App();
    app.use(outer, new App().use(inner, new App().use(LOGIN)));
    String target = (outer + inner + "/x").replaceAll("/+", "/").replace("/t/u", "/t//u");
    assertEquals(expected, location(app, target));
  }

  @Test
  void theMountPathIsThatOfTheCurrentApplication() {
    App admin = new App().use("/inner", (req, res, next) -> next.run());
    App app = new App().use("/a", LOGIN).use("/Admin", admin).use(LOGIN);
    assertEquals("/login", location(app, "/a"));
    assertEquals("/login", location(app, "/admin/inner"));
    admin.use("/last", LOGIN);
    assertEquals("/Admin/login", location(app, "/admin/last"));
  }

  @Test
  void aDotIsRelativeToTheWholePathOfTheRequest() {
    App inner = new App().use((req, res, next) -> res.location("../y").end());
    assertEquals("/blog/dot/y", location(new App().use("/blog", inner), "/blog/dot/x"));
  }
}
