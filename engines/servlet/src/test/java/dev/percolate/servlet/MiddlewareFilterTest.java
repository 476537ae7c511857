package dev.percolate.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.framework.App;
import dev.percolate.logger.RequestLogger;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestConnection;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A filter with middleware before servlets, in each container. */
@Timeout(30)
final class MiddlewareFilterTest {

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final RequestLogger logger =
      RequestLogger.of(":method :url :status :res[content-length]").to(lines::add);

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServletResponseIsLoggedWithStatusAndBytes(Container.Kind kind) throws Exception {
    Client client =
        client(kind, (req, res) -> res.getOutputStream().write(new byte[12345]), logger);
    assertEquals(12345, Call.get("/x?y=1").to(client).bytes().length);
    assertLines("GET /x?y=1 200 12345");
  }

  @ParameterizedTest
  @EnumSource
  void theBytesOfWrittenTextAreCounted(Container.Kind kind) throws Exception {
    Client client =
        client(
            kind,
            (req, res) -> {
              res.setContentType("text/plain");
              res.setCharacterEncoding("UTF-8");
              res.getWriter().append("ä€").printf("%s", "\ud83d\ude00").println("!");
            },
            logger);
    Reply reply = Call.get("/").to(client);
    assertEquals("ä€\ud83d\ude00!" + System.lineSeparator(), reply.text());
    assertLines("GET / 200 " + reply.bytes().length);
  }

  @ParameterizedTest
  @EnumSource
  void aServletThatThrowsGivesOneLineWith500(Container.Kind kind) throws Exception {
    for (Exception thrown :
        List.of(new IOException("io"), new ServletException("s"), new IllegalStateException("r"))) {
      Client client =
          client(
              kind,
              (req, res) -> {
                throw thrown;
              },
              logger);
      assertEquals(500, Call.get("/").to(client).status());
      assertLines("GET / 500 -");
      lines.clear();
    }
  }

  @ParameterizedTest
  @EnumSource
  void sendErrorGivesOneLineWithItsStatus(Container.Kind kind) throws Exception {
    Client client = client(kind, (req, res) -> res.sendError(404, "nothing here"), logger);
    assertEquals(404, Call.get("/").to(client).status());
    assertLines("GET / 404 -");
  }

  @ParameterizedTest
  @EnumSource
  void anErrorPageOfTheContainerHasNoHeadersOfTheIntendedBody(Container.Kind kind)
      throws Exception {
    Middleware described =
        (req, res, next) -> {
          res.set("Cache-Control", "public, max-age=60").set("Content-Encoding", "gzip");
          res.set("ETag", "\"a\"").set("X-Kept", "1").append("Set-Cookie", "a=1");
          next.run();
        };
    Client client = client(kind, (req, res) -> res.sendError(404), described);
    Reply reply = Call.get("/").to(client);
    assertEquals(
        "404 1 a=1",
        reply.status() + " " + reply.header("X-Kept") + " " + reply.header("Set-Cookie"));
    for (String name : List.of("Content-Encoding", "ETag")) {
      assertNull(reply.header(name), name);
    }
    assertNotEquals("public, max-age=60", reply.header("Cache-Control"));
  }

  @ParameterizedTest
  @EnumSource
  void anErrorPageOfTheContainerSetsTheCookieOfANewSessionOnce(Container.Kind kind)
      throws Exception {
    Middleware described =
        (req, res, next) -> {
          res.set("ETag", "\"a\"");
          next.run();
        };
    Client client =
        client(
            kind,
            (req, res) -> {
              assertTrue(req.getSession().isNew());
              res.sendError(404);
            },
            described);
    List<String> cookies = Call.get("/").to(client).headers().all("Set-Cookie");
    assertEquals(1, cookies.size(), cookies::toString);
    assertTrue(cookies.get(0).startsWith("JSESSIONID="), cookies::toString);
  }

  @ParameterizedTest
  @EnumSource
  void aRedirectGivesOneLine(Container.Kind kind) throws Exception {
    Client client = client(kind, (req, res) -> res.sendRedirect("/there"), logger);
    assertEquals(302, Call.get("/").to(client).status());
    await(() -> lines.size() == 1);
    assertTrue(lines.get(0).startsWith("GET / 302 "), lines::toString);
  }

  @ParameterizedTest
  @EnumSource
  void anAsynchronousServletIsLoggedAtItsEnd(Container.Kind kind) throws Exception {
    CompletableFuture<AsyncContext> started = new CompletableFuture<>();
    Client client = client(kind, (req, res) -> started.complete(req.startAsync()), logger);
    TestConnection connection = Call.get("/").open(client);
    AsyncContext async = started.get(10, TimeUnit.SECONDS);
    Thread.sleep(50);
    assertEquals(List.of(), lines);
    HttpServletResponse response = (HttpServletResponse) async.getResponse();
    response.setStatus(202);
    response.getOutputStream().print("later");
    async.complete();
    assertEquals("202 later", connection.reply().status() + " " + connection.reply().text());
    assertLines("GET / 202 5");
  }

  @ParameterizedTest
  @EnumSource
  void anAsynchronousServletThatTimesOutGivesOneLine(Container.Kind kind) throws Exception {
    Client client = client(kind, (req, res) -> req.startAsync().setTimeout(50), logger);
    int status = Call.get("/").to(client).status();
    assertTrue(status >= 500, "status " + status);
    await(() -> lines.size() == 1);
    Thread.sleep(50);
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(lines.get(0).startsWith("GET / " + status), lines::toString);
  }

  @ParameterizedTest
  @EnumSource
  void aRequestThatIsDispatchedAgainGivesOneLine(Container.Kind kind) throws Exception {
    Client client =
        client(
            kind,
            (req, res) -> {
              if (req.getDispatcherType() == DispatcherType.ASYNC) {
                res.getOutputStream().print("dispatched");
              } else {
                req.startAsync().dispatch();
              }
            },
            logger);
    assertEquals("dispatched", Call.get("/").to(client).text());
    assertLines("GET / 200 10");
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatHangsUpGivesOneLine(Container.Kind kind) throws Exception {
    Client client =
        client(
            kind,
            (req, res) -> {
              while (true) {
                res.getOutputStream().print("more");
                res.flushBuffer();
                Thread.sleep(5);
              }
            },
            logger);
    Call.get("/").open(client).await("more").disconnect();
    await(() -> lines.size() == 1);
    Thread.sleep(50);
    assertEquals(1, lines.size());
    assertTrue(lines.get(0).startsWith("GET / 200 "), lines::toString);
  }

  @ParameterizedTest
  @EnumSource
  void theThreadWaitsIfAnEarlierFilterHasNoAsyncSupport(Container.Kind kind) throws Exception {
    Filter plain = (req, res, chain) -> chain.doFilter(req, res);
    Handler late =
        (req, res) ->
            CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS)
                .execute(() -> res.status(201).send("late"));
    MiddlewareFilter filter = new MiddlewareFilter(logger, late);
    Client client = client(kind, false, List.of(plain, filter), (req, res) -> {});
    Reply reply = Call.get("/").to(client);
    assertEquals("201 late", reply.status() + " " + reply.text());
    assertLines("GET / 201 4");
  }

  @ParameterizedTest
  @EnumSource
  void anApplicationAnswersItsRoutesAndPassesOnTheRest(Container.Kind kind) throws Exception {
    App app = new App();
    app.get("/users/:id", (req, res) -> res.json(req.params().get("id")));
    Client client = client(kind, (req, res) -> res.getWriter().print("servlet"), logger, app);
    assertEquals("\"7\"", Call.get("/users/7").to(client).text());
    assertEquals("servlet", Call.get("/other").to(client).text());
    assertLines("GET /users/7 200 3", "GET /other 200 7");
  }

  @ParameterizedTest
  @EnumSource
  void threadLocalsOfMiddlewareAreVisibleInServlets(Container.Kind kind) throws Exception {
    ThreadLocal<String> local = new ThreadLocal<>();
    Middleware around =
        (req, res, next) -> {
          local.set("mine");
          try {
            next.run();
          } finally {
            local.remove();
          }
        };
    Client client = client(kind, (req, res) -> res.getWriter().print(local.get()), around);
    assertEquals("mine", Call.get("/").to(client).text());
  }

  @ParameterizedTest
  @EnumSource
  void headersOfMiddlewareAndItsHooksAreSentWithTheServletsResponse(Container.Kind kind)
      throws Exception {
    Middleware setting =
        (req, res, next) -> {
          res.set("X-Before", "1");
          res.onHeaders(() -> res.set("X-Seen", res.status() + " " + res.get("X-Servlet")));
          next.run();
        };
    Client client =
        client(
            kind,
            (req, res) -> {
              res.setStatus(203);
              res.setHeader("X-Servlet", "2");
              res.getWriter().print("body");
            },
            setting);
    Reply reply = Call.get("/").to(client);
    assertEquals("1", reply.header("X-Before"));
    assertEquals("2", reply.header("X-Servlet"));
    assertEquals("203 2", reply.header("X-Seen"));
  }

  @ParameterizedTest
  @EnumSource(names = "TOMCAT") // Jetty has Servlet 6.0 here
  void hooksRunBeforeARedirectOfServlet61(Container.Kind kind) throws Exception {
    Middleware hooked =
        (req, res, next) -> {
          res.onHeaders(() -> res.set("X-Hook", "" + res.status()));
          next.run();
        };
    Client client =
        client(
            kind,
            (req, res) -> {
              try {
                res.getClass()
                    .getMethod("sendRedirect", String.class, int.class)
                    .invoke(res, "/there", 303);
              } catch (ReflectiveOperationException e) {
                throw new IOException(e);
              }
            },
            hooked);
    Reply reply = Call.get("/").to(client);
    assertEquals(
        "303 303 /there",
        reply.status() + " " + reply.header("X-Hook") + " " + reply.header("Location"));
  }

  @ParameterizedTest
  @EnumSource
  void respondingAfterPassingOnThrows(Container.Kind kind) throws Exception {
    AtomicReference<Response> held = new AtomicReference<>();
    List<String> told = new ArrayList<>();
    Middleware both =
        (req, res, next) -> {
          held.set(res);
          next.run();
          try {
            res.send("again");
          } catch (IllegalStateException e) {
            told.add("told");
          }
        };
    Client client = client(kind, (req, res) -> res.getWriter().print("servlet"), both);
    assertEquals("servlet", Call.get("/").to(client).text());
    await(() -> told.size() == 1);
    assertTrue(held.get().headersSent());
  }

  @ParameterizedTest
  @EnumSource
  void aBodyThatAParserKeepsIsReadAgainByServlets(Container.Kind kind) throws Exception {
    Middleware parser = BodyParsers.json().keepRaw(true);
    List<Object> parsed = new CopyOnWriteArrayList<>();
    Middleware noting =
        (req, res, next) -> {
          parsed.add(String.valueOf(req.body()));
          next.run();
        };
    Client client = client(kind, MiddlewareFilterTest::echo, parser, noting);
    Call json = Call.post("/").header("Content-Type", "application/json");
    assertEquals("[1, 2]", json.body("[1, 2]").to(client).text());
    assertEquals(List.of("[1, 2]"), parsed);
    Call other = Call.post("/").header("Content-Type", "text/plain");
    assertEquals("untouched", other.body("untouched").to(client).text());
  }

  @ParameterizedTest
  @EnumSource
  void headersDescribeADecompressedBody(Container.Kind kind) throws Exception {
    ResponseAction servlet =
        (req, res) -> {
          int length = Integer.parseInt(req.getHeader("content-length"));
          assertEquals(length, req.getIntHeader("Content-Length"));
          boolean coded = req.getHeaders("Content-Encoding").hasMoreElements();
          String body = new String(req.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
          res.getWriter().print(body + coded + req.getHeader("Content-Encoding"));
        };
    String json = "[" + "1,".repeat(100) + "1]";
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
      out.write(json.getBytes(StandardCharsets.UTF_8));
    }
    Call call = Call.post("/").header("Content-Type", "application/json");
    Client client = client(kind, servlet, BodyParsers.json().keepRaw(true));
    Call sent = call.header("Content-Encoding", "gzip").body(gzip.toByteArray());
    assertEquals(json + "falsenull", sent.to(client).text());
  }

  @ParameterizedTest
  @EnumSource
  void aBodyThatAParserHasReadCannotBeReadAgain(Container.Kind kind) throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    Client client =
        client(
            kind,
            (req, res) -> {
              try {
                echo(req, res);
              } catch (IllegalStateException e) {
                told.add(e.getMessage());
              }
            },
            BodyParsers.json());
    Call.post("/").header("Content-Type", "application/json").body("[1]").to(client);
    assertEquals(1, told.size());
    assertTrue(told.get(0).contains("keepRaw(true)"), told::toString);
  }

  @ParameterizedTest
  @EnumSource
  void anErrorOfMiddlewareGetsAResponseAndNoServletIsCalled(Container.Kind kind) throws Exception {
    List<String> called = new CopyOnWriteArrayList<>();
    Client client =
        client(kind, (req, res) -> called.add("servlet"), logger, BodyParsers.json().limit(10));
    Call call = Call.post("/").header("Content-Type", "application/json");
    assertEquals(413, call.body("[1,2,3,4,5,6]").to(client).status());
    assertEquals(400, call.body("[1").to(client).status());
    assertEquals(List.of(), called);
    await(() -> lines.size() == 2);
    List<String> sorted = lines.stream().sorted().toList();
    assertTrue(sorted.get(0).startsWith("POST / 400 "), lines::toString);
    assertTrue(sorted.get(1).startsWith("POST / 413 "), lines::toString);
  }

  @ParameterizedTest
  @EnumSource
  void twoFiltersEachRunTheirMiddleware(Container.Kind kind) throws Exception {
    MiddlewareFilter one = new MiddlewareFilter(logger);
    MiddlewareFilter other = new MiddlewareFilter(logger);
    Client client =
        client(kind, true, List.of(one, other), (req, res) -> res.getWriter().print("x"));
    assertEquals("x", Call.get("/").to(client).text());
    assertLines("GET / 200 1", "GET / 200 1");
  }

  @ParameterizedTest
  @EnumSource
  void answersWithoutABodyHaveNoLength(Container.Kind kind) throws Exception {
    Client client = client(kind, (req, res) -> res.setStatus(304), logger);
    assertEquals(304, Call.get("/").to(client).status());
    assertFalse(Call.head("/").to(client).aborted());
    assertLines("GET / 304 -", "HEAD / 304 -");
  }

  @ParameterizedTest
  @EnumSource
  void anAmbiguousTargetIsRejectedBeforeTheMiddlewareAndLogged(Container.Kind kind)
      throws Exception {
    Handler seen = (req, res) -> res.send(req.path());
    App app = new App().use(logger).use("/admin", seen);
    Client client = client(kind, (req, res) -> res.getWriter().print("servlet"), app);
    assertEquals(400, Call.get("/a%2f..%2f..%2fb").to(client).status());
    assertEquals("/x", Call.get("/%61dmin/%78").to(client).text());
    assertEquals(400, Call.get("/admin%2fx").to(client).status());
    assertEquals("servlet", Call.get("/x%2fy").to(client).text());
    Filter asSent = new MiddlewareFilter(new Settings().set("ambiguous targets", "pass"), app);
    Client passing =
        client(kind, true, List.of(asSent), (req, res) -> res.getWriter().print("servlet"));
    assertEquals("servlet", Call.get("/a%2f..%2f..%2fb").to(passing).text());
    await(() -> lines.size() >= 5);
    assertTrue(lines.toString().contains("GET /a%2f..%2f..%2fb 400 0"), lines::toString);
  }

  private Client client(Container.Kind kind, ResponseAction servlet, Middleware... steps)
      throws Exception {
    return client(kind, true, List.of(new MiddlewareFilter(steps)), servlet);
  }

  private Client client(
      Container.Kind kind, boolean async, List<Filter> filters, ResponseAction servlet)
      throws Exception {
    Container container = kind.start(async, filters, new RespondingServlet(servlet));
    open.push(container);
    Client client = Client.of(container.uri());
    open.push(client);
    return client;
  }

  private void assertLines(String... expected) throws InterruptedException {
    await(() -> lines.size() >= expected.length);
    Thread.sleep(50);
    List<String> sorted = lines.stream().map(String::strip).sorted().toList();
    assertEquals(List.of(expected).stream().sorted().toList(), sorted);
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
      Thread.sleep(5);
    }
    assertTrue(condition.getAsBoolean(), "within 10 s");
  }

  private static void echo(HttpServletRequest req, HttpServletResponse res) throws IOException {
    byte[] body = req.getInputStream().readAllBytes();
    res.getWriter().print(new String(body, StandardCharsets.UTF_8));
  }
}
