package dev.percolate.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.core.Middleware;
import dev.percolate.middleware.Compression;
import dev.percolate.middleware.Idempotency;
import dev.percolate.middleware.MemoryIdempotency;
import dev.percolate.middleware.MemorySessions;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.Sessions;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Reply;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Middleware that filters bodies, before servlets whose bodies it cannot filter. */
@Timeout(30)
final class UnfilteredBodyTest {

  private static final Middleware COUNT =
      (req, res, next) -> {
        Session session = req.attr(Sessions.SESSION);
        int n = session.get("n") instanceof Integer known ? known + 1 : 1;
        res.set("X-Count", String.valueOf(session.set("n", n).get("n")));
        next.run();
      };

  @ParameterizedTest
  @EnumSource
  void sessionsAreStoredBeforeTheResponseOfAServlet(Container.Kind kind) throws Exception {
    Sessions sessions =
        Sessions.of("x".repeat(32)).store(MemorySessions.of(10, Duration.ofHours(1)));
    Filter filter = new MiddlewareFilter(sessions, Compression.of().threshold(0), COUNT);
    Servlet servlet =
        new RespondingServlet(
            (req, res) -> {
              res.setContentType("text/plain");
              res.getWriter().print("servlet");
            });
    try (Container container = kind.start(true, List.of(filter), servlet);
        Client client = Client.of(container.uri())) {
      Call call = Call.get("/").header("Accept-Encoding", "gzip");
      Reply first = call.to(client);
      assertEquals("servlet 1", first.text() + " " + first.header("X-Count"));
      assertNull(first.header("Content-Encoding"));
      String cookie = first.header("Set-Cookie");
      assertNotNull(cookie);
      Reply second = call.header("Cookie", cookie.split(";", 2)[0]).to(client);
      assertEquals("2", second.header("X-Count"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServletIsCalledOnceForAnIdempotencyKey(Container.Kind kind) throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Servlet servlet =
        new RespondingServlet((req, res) -> res.getWriter().print(calls.incrementAndGet()));
    Idempotency once =
        Idempotency.of(MemoryIdempotency.of()).anonymous().waitTimeout(Duration.ZERO);
    Filter filter = new MiddlewareFilter(BodyParsers.json().keepRaw(true), once);
    try (Container container = kind.start(true, List.of(filter), servlet);
        Client client = Client.of(container.uri())) {
      Call call = Call.post("/").header("Content-Type", "application/json").body("{}");
      Call keyed = call.header("Idempotency-Key", "k");
      assertEquals("1", keyed.to(client).text());
      Reply repeated = keyed.to(client);
      assertEquals(409, repeated.status());
      assertNull(repeated.header("Retry-After"));
      assertEquals(1, calls.get());
    }
  }
}
