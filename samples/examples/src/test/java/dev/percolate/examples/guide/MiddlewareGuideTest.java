package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.ProblemDetails;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Code of the page on middleware and errors. */
final class MiddlewareGuideTest {

  // #region key
  private static final Key<String> USER = Key.of("visitor", String.class);

  // #endregion key

  @Test
  void middlewareRespondsOrCallsNext() {
    // #region step
    Middleware login =
        (req, res, next) -> {
          String token = req.get("X-Token");
          if (token == null) {
            res.sendStatus(401); // responds: later handlers do not run
            return;
          }
          req.attr(USER, "user of " + token);
          next.run();
        };
    App app = new App();
    app.get("/me", login, (req, res) -> res.send(req.attr(USER)));
    // #endregion step
    assertEquals(401, Call.get("/me").to(app).status());
    assertEquals("user of a1", Call.get("/me").header("X-Token", "a1").to(app).text());
  }

  @Test
  void nextReturnsAfterTheHandler() {
    StringBuilder log = new StringBuilder();
    // #region around
    App app = new App();
    app.use(
        (req, res, next) -> {
          long start = System.nanoTime();
          next.run(); // the rest of the chain runs inside this call
          log.append(req.path() + " took " + (System.nanoTime() - start) / 1000 + " µs");
        });
    app.get("/", (req, res) -> res.send("ok"));
    // #endregion around
    assertEquals("ok", Call.get("/").to(app).text());
    assertTrue(log.toString().startsWith("/ took "), log::toString);
  }

  @Test
  void callbacksRunBeforeHeadersAndAtTheEnd() {
    StringBuilder log = new StringBuilder();
    // #region hooks
    App app = new App();
    app.use(
        (req, res, next) -> {
          res.onHeaders(() -> res.set("X-Frame-Options", "DENY")); // before the headers are sent
          res.onFinish(() -> log.append(res.status())); // after the response or a disconnect
          next.run();
        });
    app.get("/", (req, res) -> res.status(202).send("ok"));
    // #endregion hooks
    assertEquals("DENY", Call.get("/").to(app).header("X-Frame-Options"));
    assertEquals("202", log.toString());
  }

  @Test
  void errorsGoToLaterErrorHandlers() {
    // #region errors
    App app = new App();
    app.get(
        "/books/:id",
        (req, res) -> {
          throw new HttpError(404, "Book not found.");
        });
    app.get("/trouble", (req, res) -> List.of().get(0)); // any exception

    app.use((req, res) -> res.status(404).send("Page not found."));
    app.use(
        ErrorHandler.of(
            HttpError.class,
            (error, req, res, next) -> res.status(error.status()).send(error.getMessage())));
    app.use((error, req, res, next) -> res.status(500).send("Internal error."));
    // #endregion errors
    assertEquals("Book not found.", Call.get("/books/1").to(app).text());
    assertEquals("Page not found.", Call.get("/nowhere").to(app).text());
    assertEquals(500, Call.get("/trouble").to(app).status());
  }

  @Test
  void errorsOfAnApiAreProblems() {
    // #region problems
    App app = new App();
    app.get("/books/:id", (req, res) -> res.send(req.params().required("id", Long.class) + ""));
    app.use(ProblemDetails.notFound());
    app.use(ProblemDetails.json());
    // #endregion problems
    Reply reply = Call.get("/books/x").header("Accept", "application/json").to(app);
    assertEquals(400, reply.status());
    assertEquals("application/problem+json", reply.header("Content-Type"));
    assertEquals(404, Call.get("/x").header("Accept", "application/json").to(app).status());
  }

  @Test
  void aHandlerMayReturnAStage() {
    // #region async
    App app = new App();
    app.get(
        "/price",
        Middleware.async(
            (req, res) ->
                CompletableFuture.supplyAsync(() -> 410)
                    .thenAccept(cents -> res.json(Map.of("cents", cents)))));
    // #endregion async
    assertEquals(410, Call.get("/price").to(app).json(Map.class).get("cents"));
    assertNull(Call.get("/price").to(app).header("X-None"));
  }
}
