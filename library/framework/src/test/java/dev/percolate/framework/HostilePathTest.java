package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.framework.path.CompiledPath;
import dev.percolate.framework.path.RoutePath;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that any path gets a response soon, and is never a server error. */
@Timeout(120)
final class HostilePathTest {

  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Handler OK = (req, res) -> res.send("ok");

  private static final String[] PIECES = {
    "/", "//", "/a", "/b.c", "/%zz", "/%", "%C3", "%ff", "%00", "%2F", "/..", "/.", ";", "<", "\"",
    "'", "\\", "é", "\u2028", "*", "?", "?x", "#", "http://", "://", "h:1", "-", "(", "[", "$", "|",
    "{", "+", "&&", ":id", "/7", "A", " "
  };

  private final LogLines log = new LogLines();

  @AfterEach
  void closeLog() {
    log.close();
  }

  @Test
  @DisplayName("RTE-06: a path that cannot be decoded is 400, never 500")
  void aBadPathIsAClientErrorAndNeverAServerError() {
    App inner = new App();
    inner.get("/:x", OK).all("/:y*", (req, res, next) -> next.run());
    App app = new App();
    app.param("n", Pattern.compile("^\\d+$"));
    app.use("/a", inner).use("/b.c", inner).get("/:a-:b", OK).get("/:n", OK).get("/*.*", OK);
    app.get("/:file.:ext?", OK).get(Pattern.compile("^/(.+)/(x|y)?"), OK).post("/(a|b)+/:z?", OK);
    for (int i = 0; i < 20; i++) {
      app.put("/r" + i + "/:id", OK); // enough routes for the index
    }
    Random random = new Random(400);
    for (int i = 0; i < 4_000; i++) {
      StringBuilder target = new StringBuilder(random.nextInt(8) == 0 ? "" : "/");
      for (int j = random.nextInt(6); j >= 0; j--) {
        target.append(PIECES[random.nextInt(PIECES.length)]);
      }
      String method = List.of("GET", "HEAD", "POST", "OPTIONS").get(i % 4);
      app.set("ambiguous targets", random.nextBoolean() ? "pass" : "normalise");
      Reply reply = play(Call.of(method, target.toString()), app);
      assertTrue(Set.of(200, 400, 404).contains(reply.status()), () -> method + " " + target);
      boolean shown = reply.status() == 400 && !method.equals("HEAD");
      boolean pass = "pass".equals(app.get("ambiguous targets"));
      String text = reply.text().replace("the path is ambiguous", "");
      boolean rejected =
          target.toString().equals("*")
              || (!pass && (text.isEmpty() || text.startsWith("dev.percolate.http.HttpError: \n")));
      assertTrue(
          !shown
              || rejected
              || text.startsWith("dev.percolate.http.HttpError: Failed to decode param"),
          reply::text);
    }
  }

  @Test
  void targetsAreNotValidatedOutsideOfCaptures() {
    App app = new App();
    app.use("/m", (req, res) -> res.send(req.url()));
    for (String path : List.of("/%zz", "/<a>", "/\"'", "/%", "/a%C3b", "/{}|^")) {
      assertEquals(path, play(Call.get("/m" + path), app).text());
      assertEquals(404, play(Call.get(path), app.get("/:x/y", OK)).status());
    }
  }

  @Test
  void aDecodingErrorAfterAnotherRouteIsAClientError() {
    App app = new App();
    app.get(Pattern.compile("^/x"), (req, res, next) -> next.run());
    app.get("/x/boom/*", OK).get("/x/:id", OK);
    Reply reply = play(Call.get("/x/%zz"), app);
    assertEquals(400, reply.status());
    assertEquals(
        "dev.percolate.http.HttpError: Failed to decode param &#39;%zz&#39;\n", reply.text());
  }

  @Test
  @DisplayName("RTE-01: three parameters in a segment take at most 1 ms on 8 KiB")
  void threeLazyParametersTakeNoMoreThanAMillisecondOnEightKibibytes() {
    CompiledPath route = new CompiledPath("/:a-:b-:c", false, false);
    for (String path :
        List.of(
            "/" + "-".repeat(8_189) + "/x",
            "/" + "a-".repeat(4_094) + "/x",
            "/" + "a".repeat(8_191),
            "/" + "a".repeat(4_095) + "-" + "a".repeat(4_095),
            "/a-" + "a".repeat(8_188) + "-",
            "/" + "--".repeat(4_095))) {
      long best = Long.MAX_VALUE;
      for (int i = 0; i < 5_000 && best >= 1_000_000; i++) {
        long start = System.nanoTime();
        route.match(RoutePath.of(path, false));
        best = Math.min(best, System.nanoTime() - start);
      }
      long nanos = best; // the best of many, since other work may share the processor
      assertTrue(nanos < 1_000_000, () -> nanos + " ns");
    }
  }

  private List<String> warnings() {
    return log.lines().stream().filter(line -> line.startsWith("WARNING")).toList();
  }

  @Test
  @DisplayName("RTE-02: an exponential expression is 400 with one warning")
  void anExponentialExpressionIs400WithOneWarning() {
    App app = new App();
    app.get(Pattern.compile("^/p(a+)+$"), OK);
    app.get("/t/:x((a+)+)!", OK);
    app.param("q", Pattern.compile("^(a+)+$")).get("/q/:q", OK);
    int warnings = 0;
    for (String path : List.of("/p", "/t/", "/q/")) {
      String good = path + "aaaa" + (path.equals("/t/") ? "!" : "");
      assertTimeout(
          SOON,
          () -> {
            for (int i = 0; i < 10; i++) {
              assertEquals(400, play(Call.get(path + "a".repeat(5_000) + "b"), app).status(), path);
              assertEquals(200, play(Call.get(good), app).status());
            }
          });
      assertEquals(++warnings, warnings().size(), warnings()::toString);
      assertTrue(warnings().get(warnings - 1).contains("a+)"), warnings()::toString);
    }
  }

  @Test
  void anExponentialExpressionIs400ForOptionsToo() {
    App app = new App();
    app.get(Pattern.compile("(a+)+$"), OK);
    app.use((error, req, res, next) -> res.status(400).send(error.getMessage()));
    Reply reply = play(Call.options("/" + "a".repeat(5_000) + "b"), app);
    assertEquals("The path takes too long to match", reply.text());
    assertEquals(1, warnings().size());
    assertEquals("GET,HEAD", play(Call.options("/aa"), app).text());
  }

  @Test
  void anExpressionThatNestsAsDeepAsThePathDoesNotOverflow() {
    App app = new App();
    app.get(Pattern.compile("^/(?:a|b)*$"), OK);
    assertEquals(400, play(Call.get("/" + "ab".repeat(200_000)), app).status());
    assertEquals(1, warnings().size());
    assertEquals(200, play(Call.get("/abab"), app).status());
  }
}
