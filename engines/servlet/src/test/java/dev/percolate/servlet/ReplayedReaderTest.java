package dev.percolate.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The reader of a body that a parser in a filter has read. */
@Timeout(30)
final class ReplayedReaderTest {

  @ParameterizedTest
  @EnumSource
  void theSecondCallReturnsTheSameReader(Container.Kind kind) throws Exception {
    Servlet servlet =
        new RespondingServlet(
            (req, res) -> {
              int first = req.getReader().read();
              res.getWriter().print((char) first + "|" + req.getReader().readLine());
            });
    Filter filter = new MiddlewareFilter(BodyParsers.json().keepRaw(true));
    try (Container container = kind.start(true, List.of(filter), servlet);
        Client client = Client.of(container.uri())) {
      Call call = Call.post("/").header("Content-Type", "application/json");
      assertEquals("[|1, 2]", call.body("[1, 2]").to(client).text());
    }
  }
}
