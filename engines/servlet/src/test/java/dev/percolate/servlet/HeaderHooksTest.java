package dev.percolate.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Middleware;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Reply;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Hooks that change the headers of servlets. */
@Timeout(30)
final class HeaderHooksTest {

  @ParameterizedTest
  @EnumSource
  void addedValuesKeepThoseOfTheServlet(Container.Kind kind) throws Exception {
    Middleware hooked =
        (req, res, next) -> {
          res.onHeaders(
              () -> res.append("Link", "<b>").append("Set-Cookie", "b=1").set("X-One", "new"));
          next.run();
        };
    Servlet servlet =
        new RespondingServlet(
            (req, res) -> {
              res.addHeader("Link", "<a>");
              res.addHeader("Set-Cookie", "a=1");
              res.addHeader("X-One", "old");
              res.getWriter().print("servlet");
            });
    Filter filter = new MiddlewareFilter(hooked);
    try (Container container = kind.start(true, List.of(filter), servlet);
        Client client = Client.of(container.uri())) {
      Reply reply = Call.get("/").to(client);
      assertEquals(List.of("<a>", "<b>"), reply.headers().all("Link"));
      assertEquals(List.of("a=1", "b=1"), reply.headers().all("Set-Cookie"));
      assertEquals(List.of("new"), reply.headers().all("X-One"));
    }
  }
}
