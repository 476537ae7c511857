package dev.percolate.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.BasicAuth;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.TestConnection;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An application as a servlet, in each container. */
@Timeout(30)
final class ServiceServletTest {

  @ParameterizedTest
  @EnumSource
  void anApplicationAnswersAndLogsOnce(Container.Kind kind) throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    App app = new App();
    app.use(RequestLogger.of(":method :url :status").to(lines::add));
    app.use(BodyParsers.json());
    app.post("/sum", ServiceServletTest::sum);
    try (Container container = kind.start(true, List.of(), new ServiceServlet(app));
        Client client = Client.of(container.uri())) {
      Call call = Call.post("/sum").header("Content-Type", "application/json");
      assertEquals("6.0", call.body("[1,2,3]").to(client).text());
      assertEquals(404, Call.get("/none?x=%20").to(client).status());
    }
    for (int i = 0; i < 1000 && lines.size() < 2; i++) {
      Thread.sleep(5); // a line is written after its response
    }
    assertEquals(
        List.of("GET /none?x=%20 404", "POST /sum 200"),
        lines.stream().map(String::strip).sorted().toList());
  }

  @Test
  void anApplicationThatFailsItsStartCheckDoesNotStart() {
    App app = new App().require("/admin", BasicAuth.class).get("/admin", ServiceServletTest::sum);
    Servlet servlet = new ServiceServlet(app);
    Exception error =
        assertThrows(IllegalStateException.class, () -> servlet.init(new HttpServlet() {}));
    assertTrue(error.getMessage().contains("needs BasicAuth before it"), error::getMessage);
  }

  @Test
  void aFilterThatFailsItsStartCheckDoesNotStart() throws Exception {
    App app = new App().require("/admin", BasicAuth.class).get("/admin", ServiceServletTest::sum);
    new MiddlewareFilter(BasicAuth.of("ann", "x".repeat(16)), app).init(new HttpFilter() {});
    Filter filter = new MiddlewareFilter(app);
    assertThrows(IllegalStateException.class, () -> filter.init(new HttpFilter() {}));
  }

  private static void sum(Request req, Response res) {
    List<?> numbers = (List<?>) req.body();
    double sum = numbers.stream().mapToDouble(one -> ((Number) one).doubleValue()).sum();
    res.send(String.valueOf(sum));
  }

  @ParameterizedTest
  @EnumSource
  void theContainersThreadIsFreeWhileAResponseIsPending(Container.Kind kind) throws Exception {
    assertEquals("free", threadDuringALateAnswer(kind, true));
  }

  @ParameterizedTest
  @EnumSource
  void withoutAsyncTheContainersThreadWaits(Container.Kind kind) throws Exception {
    assertEquals("waits", threadDuringALateAnswer(kind, false));
  }

  private static String threadDuringALateAnswer(Container.Kind kind, boolean async)
      throws Exception {
    CountDownLatch returned = new CountDownLatch(1);
    CompletableFuture<Response> held = new CompletableFuture<>();
    Filter watching =
        (req, res, chain) -> {
          chain.doFilter(req, res);
          returned.countDown();
        };
    App app = new App();
    app.get("/", (req, res) -> held.complete(res));
    try (Container container = kind.start(async, List.of(watching), new ServiceServlet(app));
        Client client = Client.of(container.uri())) {
      TestConnection connection = Call.get("/").open(client);
      Response res = held.get(10, TimeUnit.SECONDS);
      boolean free = returned.await(async ? 10 : 1, TimeUnit.SECONDS);
      res.send("late");
      assertEquals("late", connection.reply().text());
      assertTrue(returned.await(10, TimeUnit.SECONDS));
      return free ? "free" : "waits";
    }
  }
}
