package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MethodOverrideTest {

  private static final String HEADER = "X-HTTP-Method-Override";
  private static final Handler METHODS =
      (req, res) -> res.send(req.method() + " " + req.attr(MethodOverride.ORIGINAL_METHOD));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "put|PUT",
        "m-search|M-SEARCH",
        "QUERY|QUERY",
        " delete , put|DELETE",
        "p ut|POST",
        ",put|POST",
        "<script>|POST",
        "X|POST",
        "po\u017ft|POST"
      })
  @DisplayName("REQ-13 as recorded: on every method, but known methods only")
  void theHeaderNamesAKnownMethodBeforeItsFirstComma(String value, String method) {
    assertEquals(
        "200 " + method + " POST",
        Played.outcome(Call.post("/").header(HEADER, value), MethodOverride.of(), METHODS));
  }

  @Test
  void theFieldIsTakenOutOfABodyThatCannotBeChanged() {
    Middleware body =
        (req, res, next) -> {
          req.body(Map.of("verb", List.of("lock", "put"), "x", "1"));
          next.run();
        };
    Handler shown = (req, res) -> res.send(req.method() + " " + req.body());
    assertEquals(
        "200 LOCK {x=1}",
        Played.outcome(Call.post("/"), body, MethodOverride.of().field("verb"), shown));
  }

  @Test
  void aFieldThatIsNoTextIsRemovedAndIgnored() {
    Middleware body =
        (req, res, next) -> {
          req.body(Map.of("_method", Map.of("a", "put")));
          next.run();
        };
    Handler shown = (req, res) -> res.send(req.method() + " " + req.body());
    assertEquals("200 POST {}", Played.outcome(Call.post("/"), body, MethodOverride.of(), shown));
  }

  @Test
  void theFirstOriginalMethodStays() {
    assertEquals(
        "200 PUT POST",
        Played.outcome(
            Call.post("/").header(HEADER, "put"),
            MethodOverride.of(),
            MethodOverride.of(),
            METHODS));
  }

  @Test
  void varyIsExtendedOnceAndAStarStays() {
    Middleware varied =
        (req, res, next) -> {
          res.set("Vary", String.valueOf(req.get("X-Vary")));
          next.run();
        };
    assertEquals("Accept, " + HEADER, vary("Accept", varied));
    assertEquals("x-http-method-override", vary("x-http-method-override", varied));
    assertEquals("*", vary("*", varied));
  }

  @Test
  void aRequestChangedToHeadGetsNoBody() {
    Reply reply = Played.reply(Call.post("/").header(HEADER, "HEAD"), MethodOverride.of(), METHODS);
    assertEquals("", reply.text());
    assertTrue(reply.complete());
    assertEquals("0", reply.header("Content-Length"), "the client sent POST, and awaits a body");
  }

  private static String vary(String before, Middleware varied) {
    Call call = Call.get("/").header("X-Vary", before);
    return String.valueOf(Played.reply(call, varied, MethodOverride.of(), METHODS).header("Vary"));
  }
}
