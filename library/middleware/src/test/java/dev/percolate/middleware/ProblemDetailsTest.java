package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProblemDetailsTest {

  @Test
  void clientErrorsAreDescribed() {
    HttpError error =
        new HttpError(400, "two fields do not fit", "value.invalid", null)
            .with("errors", List.of(Map.of("parameter", "page")))
            .with("body", "secret");
    Reply reply = Played.reply(Call.get("/"), failing(error), ProblemDetails.json());
    assertEquals(400, reply.status());
    assertEquals("application/problem+json", reply.header("Content-Type"));
    assertEquals("nosniff", reply.header("X-Content-Type-Options"));
    assertEquals("Accept", reply.header("Vary"));
    assertEquals(
        "{\"title\":\"Bad Request\",\"status\":400,\"detail\":\"two fields do not fit\","
            + "\"code\":\"value.invalid\",\"errors\":[{\"parameter\":\"page\"}]}",
        reply.text());
  }

  @Test
  void serverErrorsShowOnlyTheStatus() {
    Settings settings = new Settings().set(Settings.STACK_TRACES, "none");
    Exception error = new IllegalStateException("password of the database");
    Reply reply = Played.reply(settings, Call.get("/"), failing(error), ProblemDetails.json());
    assertEquals(500, reply.status());
    assertEquals("{\"title\":\"Internal Server Error\",\"status\":500}", reply.text());
    reply =
        Played.reply(
            settings,
            Call.get("/"),
            failing(new HttpError(503, "the database is away")),
            ProblemDetails.json());
    assertEquals("{\"title\":\"Service Unavailable\",\"status\":503}", reply.text());
  }

  @Test
  void inProductionNoClientGetsTheMessageOfAHiddenError() {
    String before = System.getProperty("percolate.env");
    Settings settings = new Settings().set(Settings.STACK_TRACES, "all");
    Exception error = new IllegalStateException("password of the database");
    System.setProperty("percolate.env", "production");
    try {
      Reply reply = Played.reply(settings, Call.get("/"), failing(error), ProblemDetails.json());
      assertEquals("{\"title\":\"Internal Server Error\",\"status\":500}", reply.text());
    } finally {
      if (before == null) {
        System.clearProperty("percolate.env");
      } else {
        System.setProperty("percolate.env", before);
      }
    }
  }

  @Test
  void aStatusAloneHasNoDetail() {
    Reply reply = Played.reply(Call.get("/"), ProblemDetails.notFound(), ProblemDetails.json());
    assertEquals("{\"title\":\"Not Found\",\"status\":404}", reply.text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "application/problem+json", "*/*", "application/*"})
  void clientsThatDoNotPreferHtmlGetProblems(String accept) {
    Call call = Call.get("/").header("Accept", accept);
    Reply reply = Played.reply(call, failing(new HttpError(409)), ProblemDetails.json());
    assertTrue(reply.text().startsWith("{"), reply.text());
  }

  @Test
  void browsersGetTheResponseOfTheNextErrorHandler() {
    Call call = Call.get("/").header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    Reply reply = Played.reply(call, failing(new HttpError(409)), ProblemDetails.json());
    assertEquals(409, reply.status());
    assertFalse(reply.text().startsWith("{"), reply.text());
  }

  private static Middleware failing(Exception error) {
    Handler handler =
        (req, res) -> {
          throw error;
        };
    return handler;
  }
}
