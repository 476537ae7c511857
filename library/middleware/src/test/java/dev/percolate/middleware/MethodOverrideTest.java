package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.RequestControl;
import dev.percolate.http.HttpError;
import dev.percolate.http.KnownMethods;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MethodOverrideTest {

  private static final String HEADER = "X-HTTP-Method-Override";
  private static final Handler METHODS =
      (req, res) -> res.send(req.method() + " " + req.attr(MethodOverride.ORIGINAL_METHOD));

  private static final MethodOverride ANY =
      MethodOverride.of().methods(KnownMethods.ALL.toArray(String[]::new));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "put|PUT",
        "PATCH|PATCH",
        "DeLeTe|DELETE",
        " delete , put|DELETE",
        "p ut|POST",
        ",put|POST",
        "<script>|POST",
        "X|POST",
        "po\u017ft|POST",
        "get|POST",
        "HEAD|POST",
        "options|POST",
        "TRACE|POST",
        "CONNECT|POST",
        "propfind|POST"
      })
  @DisplayName("REQ-13 a POST becomes PUT, PATCH or DELETE, in any letter case")
  void theHeaderNamesOneOfTheMethodsBeforeItsFirstComma(String value, String method) {
    Call call = Call.post("/").header(HEADER, value);
    assertEquals("200 " + method + " POST", Played.outcome(call, MethodOverride.of(), METHODS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PROPFIND", "post", "Post"})
  void onlyAPostIsChanged(String sent) {
    Middleware body =
        (req, res, next) -> {
          RequestControl.body(req, Map.of("_method", "delete"));
          next.run();
        };
    Handler shown =
        (req, res) -> res.set("X-Method", req.method()).set("X-Body", "" + req.body()).end();
    Call call = Call.of(sent, "/").header(HEADER, "DELETE");
    Reply reply = Played.reply(call, body, ANY, shown);
    assertEquals(sent, reply.header("X-Method"));
    assertEquals("{_method=delete}", reply.header("X-Body"));
    assertEquals(HEADER, reply.header("Vary"));
  }

  @ParameterizedTest
  @CsvSource({"lock,LOCK", "Frob,Frob", "frob,POST", "put,POST"})
  void theSetOfMethodsIsConfigurable(String value, String method) {
    MethodOverride own = MethodOverride.of().methods("Lock", "Frob");
    Call call = Call.post("/").header(HEADER, value);
    assertEquals("200 " + method + " POST", Played.outcome(call, own, METHODS));
    assertEquals(
        "methods \"a b\" must be a method name",
        Played.rejection(() -> MethodOverride.of().methods("PUT", "a b")));
  }

  @Test
  void aGetThatPassedACheckRemainsAGet() {
    Middleware readersOnly =
        (req, res, next) -> {
          if (!req.method().equals("GET")) {
            throw new HttpError(403, "not a reader");
          }
          next.run();
        };
    Call call = Call.get("/").header(HEADER, "DELETE");
    assertEquals("200 GET GET", Played.outcome(call, readersOnly, MethodOverride.of(), METHODS));
  }

  @Test
  void theFieldIsRemovedFromAnImmutableBody() {
    Middleware body =
        (req, res, next) -> {
          RequestControl.body(req, Map.of("verb", List.of("lock", "put"), "x", "1"));
          next.run();
        };
    Handler shown = (req, res) -> res.send(req.method() + " " + req.body());
    assertEquals("200 LOCK {x=1}", Played.outcome(Call.post("/"), body, ANY.field("verb"), shown));
  }

  @Test
  void aFieldThatIsNotAStringIsRemovedAndIgnored() {
    Middleware body =
        (req, res, next) -> {
          RequestControl.body(req, Map.of("_method", Map.of("a", "put")));
          next.run();
        };
    Handler shown = (req, res) -> res.send(req.method() + " " + req.body());
    assertEquals("200 POST {}", Played.outcome(Call.post("/"), body, MethodOverride.of(), shown));
  }

  @Test
  void theFirstOriginalMethodIsKept() {
    assertEquals(
        "200 PUT POST",
        Played.outcome(
            Call.post("/").header(HEADER, "put"),
            MethodOverride.of(),
            MethodOverride.of(),
            METHODS));
  }

  @Test
  void varyIsExtendedOnceAndAStarIsUnchanged() {
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
    Reply reply = Played.reply(Call.post("/").header(HEADER, "HEAD"), ANY, METHODS);
    assertEquals("", reply.text());
    assertTrue(reply.complete());
    assertEquals("0", reply.header("Content-Length"), "the client sent POST, and awaits a body");
  }

  private static String vary(String before, Middleware varied) {
    Call call = Call.get("/").header("X-Vary", before);
    return String.valueOf(Played.reply(call, varied, MethodOverride.of(), METHODS).header("Vary"));
  }
}
