package dev.percolate.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Methods are case-sensitive in each container, too (RFC 9110 section 9.1). */
@Timeout(30)
final class MethodCaseTest {

  @ParameterizedTest
  @EnumSource
  void aGuardSeesTheMethodsThatRoutesMatch(Container.Kind kind) throws Exception {
    App app = new App();
    app.use(
        "/g",
        (req, res, next) -> {
          if (req.method().equals("POST")) {
            throw new HttpError(403, "guarded");
          }
          next.run();
        });
    app.post("/g/x", (req, res) -> res.send("changed"));
    app.get("/x", (req, res) -> res.send("read"));
    try (Container container = kind.start(true, List.of(), new ServiceServlet(app));
        Client client = Client.of(container.uri())) {
      assertEquals(403, Call.post("/g/x").to(client).status());
      assertEquals("read", Call.get("/x").to(client).text());
      assertEquals("", Call.head("/x").to(client).text());
      for (String method : List.of("post", "Post", "pOST")) {
        assertEquals(404, Call.of(method, "/g/x").to(client).status(), method);
      }
      for (String method : List.of("get", "Get", "options")) {
        assertEquals(404, Call.of(method, "/x").to(client).status(), method);
      }
    }
  }
}
