package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class RenderTest {

  @TempDir private Path root;
  private App app;

  @BeforeEach
  void anApplicationWithViews() throws IOException {
    Files.writeString(root.resolve("hello.tmpl"), "<p>Grüße {{who}}</p>");
    Files.writeString(root.resolve("bad.tmpl"), "before {{!throw}}");
    app = withViews();
  }

  private App withViews() {
    return new App().set("views", root.toString()).engine("tmpl", new CurlyEngine());
  }

  private static Middleware answers(String word) {
    return (ErrorHandler) (error, req, res, next) -> res.send(word + ": " + error.getMessage());
  }

  @Test
  void theTextIsSentLikeWithSend() {
    app.get("/", (req, res) -> res.status(404).render("hello.tmpl", Map.of("who", "Ann")));
    app.get("/t", (req, res) -> res.type("application/xml").render("hello.tmpl"));
    Reply reply = play(Call.get("/"), app);
    assertEquals("<p>Grüße Ann</p>", reply.text());
    assertEquals(404, reply.status());
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
    String etag = reply.header("ETag");
    assertNotNull(etag);
    assertEquals("", play(Call.head("/"), app).text());
    assertEquals("18", play(Call.head("/"), app).header("Content-Length"));
    Reply typed = play(Call.get("/t"), app);
    assertEquals("application/xml; charset=utf-8", typed.header("Content-Type"));
    String fresh = String.valueOf(typed.header("ETag"));
    assertEquals(304, play(Call.get("/t").header("If-None-Match", fresh), app).status());
  }

  @Test
  void aCallbackGetsTheTextAndNothingIsSent() {
    app.get(
        "/",
        (req, res) ->
            res.render(
                "hello.tmpl",
                Map.of("who", "in"),
                (error, text) -> res.send("[" + text + "] " + error)));
    assertEquals("[<p>Grüße in</p>] null", play(Call.get("/"), app).text());
  }

  @Test
  void errorsAreOnlyPassedToTheCallback() {
    for (String name : new String[] {"bad.tmpl", "none.tmpl"}) {
      app.get(
          "/" + name,
          (req, res) ->
              res.render(
                  name,
                  Map.of(),
                  (error, text) ->
                      res.send(
                          500,
                          (error == null ? "" : error.getMessage()) + (text == null ? "!" : ""))));
    }
    app.use(answers("middleware"));
    assertEquals("template failed!", play(Call.get("/bad.tmpl"), app).text());
    assertEquals(
        "Failed to lookup view \"none.tmpl\" in views directory \"" + root + "\"!",
        play(Call.get("/none.tmpl"), app).text());
  }

  @Test
  void anExceptionOfACallbackIsThrownByTheCall() {
    List<@Nullable Throwable> calls = new ArrayList<>();
    IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                app.render(
                    "hello.tmpl",
                    Map.of(),
                    (error, text) -> {
                      calls.add(error);
                      throw new IllegalArgumentException("mine");
                    }));
    assertEquals("mine", thrown.getMessage());
    assertEquals(1, calls.size());
    assertNull(calls.get(0));
  }

  @Test
  void aRenderingErrorSkipsTheRoutes() {
    for (String path : new String[] {"/bad", "/none"}) {
      app.get(path, (req, res) -> res.render(path.substring(1) + ".tmpl"));
      app.get(path, (req, res) -> res.send("later route"));
      app.get(path, answers("later route"));
    }
    app.get("/both", (req, res, next) -> res.render("bad.tmpl"), answers("route"));
    app.get("/both", answers("later route"));
    app.param("p", (req, res, next, value) -> res.render("bad.tmpl"));
    app.get("/param/:p", (req, res, next) -> res.send("no"), answers("route"));
    app.use((req, res) -> res.send("normal layer"));
    app.use("/elsewhere", answers("elsewhere"));
    app.use(
        (error, req, res, next) ->
            res.send(req.route() + " " + req.url() + " " + error.getMessage()));
    assertEquals("null /bad template failed", play(Call.get("/bad"), app).text());
    assertTrue(play(Call.get("/none"), app).text().startsWith("null /none Failed to lookup view"));
    assertEquals("null /both template failed", play(Call.get("/both"), app).text());
    assertEquals("null /param/1 template failed", play(Call.get("/param/1"), app).text());
  }

  @Test
  void aRenderingErrorInARouterSkipsTheRouter() {
    app.use("/r", app.router());
    app.get("/x", (req, res) -> res.render("bad.tmpl"));
    app.get("/x", answers("later route"));
    app.use((error, req, res, next) -> res.send("chain " + req.url()));
    assertEquals("chain /r/x", play(Call.get("/r/x"), app).text());
  }

  @Test
  void aRenderingErrorOfAMountedApplicationGoesToItsErrorHandlersFirst() {
    App inner = withViews();
    inner.get("/", (req, res, next) -> res.render("bad.tmpl"), answers("route"));
    inner.use("/x", answers("elsewhere"));
    app.all("/route", inner, answers("route of the parent"));
    app.use("/i", inner);
    app.use((error, req, res, next) -> res.send("parent " + req.url()));
    assertEquals("parent /i", play(Call.get("/i"), app).text());
    inner.use((error, req, res, next) -> res.send("inner " + req.url()));
    assertEquals("inner /", play(Call.get("/i"), app).text());
  }

  @Test
  void anErrorHandlerMayFailToRenderToo() {
    app.use(
        (req, res, next) -> {
          throw new HttpError(418, "first");
        });
    app.use((error, req, res, next) -> res.render("bad.tmpl"));
    app.use((error, req, res, next) -> res.send(error.getMessage()));
    assertEquals("template failed", play(Call.get("/"), app).text());
  }

  @Test
  void theDefaultPageHasTheStatusSetBefore() {
    app.get(
        "/:status",
        (req, res) -> {
          res.status(Integer.parseInt(String.valueOf(req.params().get("status"))));
          res.render("bad.tmpl");
        });
    assertEquals(404, play(Call.get("/404"), app).status());
    assertEquals(500, play(Call.get("/302"), app).status());
    Reply reply = play(Call.get("/200"), app);
    assertEquals(500, reply.status());
    assertTrue(
        reply.text().startsWith("java.lang.IllegalStateException: template failed<br>"),
        reply.text());
  }

  @Test
  void theNextOfAHandlerThatFailedToRenderIsUsedUp() {
    List<String> log = new ArrayList<>();
    app.get(
        "/next",
        (req, res, next) -> {
          res.render("bad.tmpl");
          next.run();
        });
    app.get(
        "/throw",
        (req, res) -> {
          res.render("bad.tmpl");
          throw new IllegalStateException("late");
        });
    app.use((req, res) -> log.add("normal layer"));
    app.use(
        (error, req, res, next) -> {
          log.add(error.getMessage());
          res.send("handled");
        });
    assertEquals("handled", play(Call.get("/next"), app).text());
    assertEquals("handled", play(Call.get("/throw"), app).text());
    assertEquals(List.of("template failed", "template failed"), log);
    assertEquals(1, app.counters().duplicateNextCalls());
    assertEquals(1, app.counters().lateErrors());
  }

  @Test
  void aRenderingMayFailLaterOnAnotherThread() {
    app.get(
        "/",
        (req, res, next) -> new Thread(() -> res.render("bad.tmpl")).start(),
        answers("route"));
    app.use(answers("middleware"));
    assertEquals("middleware: template failed", play(Call.get("/"), app).text());
  }

  @Test
  void errorsOfEngineSelectionAreThrownInTheRoute() {
    app.get("/none", (req, res) -> res.render("hello"));
    app.get("/none", answers("route"));
    app.get(
        "/unknown", (req, res) -> res.render("a.unknown", Map.of(), (error, text) -> res.end()));
    app.get("/unknown", answers("route"));
    app.use(answers("middleware"));
    assertEquals(
        "route: render(\"hello\"): the name has no extension; add one or set \"view engine\"",
        play(Call.get("/none"), app).text());
    assertTrue(play(Call.get("/unknown"), app).text().startsWith("route: no template engine"));
  }

  @Test
  void afterAMountedApplicationTheViewsAreThoseOfTheParentAgain() throws IOException {
    Path other = Files.createDirectory(root.resolve("inner"));
    Files.writeString(other.resolve("hello.tmpl"), "inner");
    App inner = new App().set("views", other.toString());
    inner.get("/in", (req, res) -> res.render("hello.tmpl"));
    inner.get(
        "/error",
        (req, res, next) -> {
          throw new IllegalStateException("on");
        });
    app.use(inner);
    app.use((req, res) -> res.render("hello.tmpl", Map.of("who", "you")));
    app.use((error, req, res, next) -> res.render("hello.tmpl", Map.of("who", "error")));
    assertEquals("inner", play(Call.get("/in"), app).text());
    assertEquals("<p>Grüße you</p>", play(Call.get("/"), app).text());
    assertEquals("<p>Grüße error</p>", play(Call.get("/error"), app).text());
  }

  @Test
  void outsideAnApplicationThereAreNoViews() {
    Service service =
        Chain.service(
            new Settings(), (req, res, next) -> res.render("hello.tmpl"), answers("handler"));
    assertEquals(
        "handler: render(\"hello.tmpl\") needs an application with views, but none handles this"
            + " request",
        play(Call.get("/"), service).text());
  }

  @Test
  @DisplayName("VW-03: a stack overflow in a template is a rendering error")
  void aStackOverflowInATemplateIsARenderingError() {
    app.engine("tmpl", (file, locals) -> deeper(1));
    app.get("/", (req, res) -> res.render("bad.tmpl"));
    app.use((error, req, res, next) -> res.send(error.getClass().getSimpleName()));
    assertEquals("StackOverflowError", play(Call.get("/"), app).text());
  }

  private static String deeper(int depth) {
    return depth < 0 ? "" : deeper(depth + 1) + depth;
  }
}
