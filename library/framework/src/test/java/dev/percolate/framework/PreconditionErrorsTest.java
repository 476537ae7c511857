package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Handler;
import dev.percolate.core.Response;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests failed preconditions, which are 412 (RFC 9110 section 13.1.1) and reach the error handlers
 * however the handler sends the response.
 */
final class PreconditionErrorsTest {

  static Stream<Arguments> handlers() {
    return Stream.of(
        handler("in the handler", (req, res) -> send(res)),
        handler(
            "in a callback at once",
            (req, res) -> {
              Object ignored = CompletableFuture.completedFuture(res).thenAccept(it -> send(it));
            }),
        handler(
            "in a callback on another thread",
            (req, res) -> {
              Object ignored =
                  new CompletableFuture<Response>()
                      .completeOnTimeout(res, 20, TimeUnit.MILLISECONDS)
                      .thenAccept(it -> send(it));
            }));
  }

  private static Arguments handler(String name, Handler handler) {
    return Arguments.of(name, handler);
  }

  private static void send(Response res) {
    res.set("ETag", "\"v2\"").send("body");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("handlers")
  void anErrorHandlerRespondsToAFailedPrecondition(String name, Handler handler) {
    App app = new App();
    app.get("/", handler);
    app.use(
        (error, req, res, next) ->
            res.status(((HttpError) error).status()).send("another version"));
    Reply reply = play(Call.get("/").header("If-Match", "\"v1\""), app);
    assertEquals("412 another version", reply.status() + " " + reply.text());
    assertEquals("body", play(Call.get("/").header("If-Match", "\"v2\""), app).text());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("handlers")
  void withoutAnErrorHandlerTheResponseIs412(String name, Handler handler) {
    App app = new App();
    app.get("/", handler);
    assertEquals(412, play(Call.get("/").header("If-Match", "\"v1\""), app).status());
  }
}
