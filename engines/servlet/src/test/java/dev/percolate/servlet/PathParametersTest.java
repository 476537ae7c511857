package dev.percolate.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Handler;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A filter sees the path by which each container selects a servlet. */
@Timeout(30)
final class PathParametersTest {

  @ParameterizedTest
  @EnumSource
  void pathParametersDoNotEvadeAFilter(Container.Kind kind) throws Exception {
    Handler guard = (req, res) -> res.status(403).send(req.url());
    Filter filter = new MiddlewareFilter(new App().use("/admin", guard));
    Servlet servlet =
        new RespondingServlet((req, res) -> res.getWriter().print(req.getRequestURI()));
    try (Container container = kind.start(true, List.of(filter), servlet);
        Client client = Client.of(container.uri())) {
      for (String path : List.of("/admin;x=1/y?z=;", "/;x/admin/y?z=;", "/a/..;x/admin/y;?z=;")) {
        assertEquals(403, Call.get(path).to(client).status(), path);
      }
      assertEquals("/y?z=;", Call.get("/admin;x=1/y;x?z=;").to(client).text());
      assertEquals("/users;x=1", Call.get("/users;x=1").to(client).text());
    }
  }
}
