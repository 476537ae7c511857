package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.http.HttpError;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The conditions and the order of evaluating preconditions: RFC 9110 section 13.2. */
final class ResponsePreconditionsTest {

  private static final String DATE = "Thu, 02 Jan 2020 03:04:05 GMT";
  private static final String EARLIER = "Thu, 02 Jan 2020 03:04:04 GMT";

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "If-None-Match,\"v1\",304",
        "If-None-Match,W/\"v1\",304",
        "If-None-Match,*,304",
        "If-None-Match,\"v2\",200",
        "If-Modified-Since,`Thu, 02 Jan 2020 03:04:05 GMT`,304",
        "If-Modified-Since,`Thu, 02 Jan 2020 03:04:04 GMT`,200",
        "If-Match,\"v1\",200",
        "If-Match,*,200",
        "If-Match,\"v2\",412",
        "If-Match,W/\"v1\",412",
        "If-Unmodified-Since,`Thu, 02 Jan 2020 03:04:05 GMT`,200",
        "If-Unmodified-Since,`Thu, 02 Jan 2020 03:04:04 GMT`,412"
      })
  void anyResponseToGetAndHeadWithAValidatorIsConditional(String name, String value, int status) {
    for (String method : List.of("GET", "HEAD")) {
      for (String kind : List.of("text", "bytes", "status", "stream")) {
        FakeExchange exchange = FakeExchange.of(method, "/", name, value);
        Response res =
            exchange.response().set("ETag", "\"v1\"").set("Last-Modified", DATE).status(200);
        if (status == 412) {
          HttpError error = assertThrows(HttpError.class, () -> send(res, kind));
          assertEquals(412, error.status());
          assertFalse(res.headersSent());
        } else {
          send(res, kind);
          assertEquals(status, exchange.status, method + " " + kind);
          assertEquals("\"v1\"", exchange.header("ETag"));
        }
      }
    }
  }

  private static void send(Response res, String kind) {
    byte[] bytes = "body".getBytes(StandardCharsets.UTF_8);
    switch (kind) {
      case "text" -> res.send("body");
      case "bytes" -> res.send(bytes);
      case "status" -> res.sendStatus(200);
      default -> res.send(new ByteArrayInputStream(bytes));
    }
  }

  @Test
  void ifMatchHasPriorityOverIfNoneMatch() {
    FakeExchange exchange =
        FakeExchange.of("GET", "/", "If-Match", "\"v2\"", "If-None-Match", "\"v1\"");
    Response res = exchange.response().set("ETag", "\"v1\"");
    assertEquals(412, assertThrows(HttpError.class, () -> res.send("x")).status());
    exchange = FakeExchange.of("GET", "/", "If-Match", "\"v1\"", "If-None-Match", "\"v1\"");
    exchange.response().set("ETag", "\"v1\"").send("x");
    assertEquals(304, exchange.status);
  }

  @Test
  void ifUnmodifiedSinceHasPriorityOverIfNoneMatch() {
    FakeExchange exchange =
        FakeExchange.of("GET", "/", "If-Unmodified-Since", EARLIER, "If-None-Match", "*");
    Response res = exchange.response().set("Last-Modified", DATE);
    assertEquals(412, assertThrows(HttpError.class, () -> res.send("x")).status());
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 400, 404, 412, 500})
  void onlySuccessfulResponsesAreConditional(int status) {
    for (String name : List.of("If-Match", "If-None-Match")) {
      String tags = name.equals("If-Match") ? "\"v2\"" : "*";
      FakeExchange exchange = FakeExchange.of("GET", "/", name, tags);
      exchange.response().set("ETag", "\"v1\"").send(status, "x");
      assertEquals(status, exchange.status);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT", "POST", "PATCH", "DELETE", "OPTIONS", "get"})
  void aMethodThatHasMadeChangesIsNotRejectedAfterwards(String method) {
    for (String name : List.of("If-Match", "If-None-Match")) {
      String tags = name.equals("If-Match") ? "\"v1\"" : "*";
      FakeExchange exchange = FakeExchange.of(method, "/", name, tags);
      exchange.response().set("ETag", "\"v2\"").send("changed");
      assertEquals("200 changed", exchange.status + " " + exchange.body());
    }
  }

  @Test
  void noCacheDoesNotDisableConditionsAtTheServer() {
    FakeExchange exchange =
        FakeExchange.of("GET", "/", "If-None-Match", "\"v1\"", "Cache-Control", "no-cache");
    exchange.response().set("ETag", "\"v1\"").send("x");
    assertEquals(304, exchange.status);
  }

  @Test
  void a304KeepsHeadersForCachesAndHooksSeeTheFullResponse() {
    FakeExchange exchange = FakeExchange.of("GET", "/", "If-None-Match", "*");
    Response res = exchange.response().set("Content-Language", "en").set("Content-Location", "/l");
    res.set("Cache-Control", "max-age=9").set("Vary", "Accept").set("Set-Cookie", "a=1");
    res.onHeaders(() -> res.set("X-Seen", res.get("Content-Type") + " " + res.bodyLength()));
    res.set("ETag", "\"v1\"").send("body");
    assertEquals(
        """
        Content-Location: /l
        Cache-Control: max-age=9
        Vary: Accept
        Set-Cookie: a=1
        ETag: "v1"
        X-Seen: text/html; charset=utf-8 4
        """,
        String.valueOf(exchange.headers));
  }

  @Test
  void a304SetByAHandlerIsAlsoReduced() {
    FakeExchange exchange = new FakeExchange();
    exchange.response().status(304).type("html").set("ETag", "\"v1\"").end();
    assertEquals("ETag: \"v1\"\n", String.valueOf(exchange.headers));
  }

  @Test
  void theSettingEnablesTheRulesOfExpress() {
    FakeExchange exchange = express("If-None-Match", "*");
    exchange.response().set("Content-Language", "en").set("ETag", "\"v1\"").send("x");
    assertEquals("304 en", exchange.status + " " + exchange.header("Content-Language"));
    exchange = express("If-Match", "\"v2\"");
    exchange.response().set("ETag", "\"v1\"").send("x");
    assertEquals(200, exchange.status);
    exchange = express("If-None-Match", "\"v1\"");
    exchange.response().set("ETag", "W/\"v1\"").send("x");
    assertEquals(200, exchange.status);
    assertThrows(
        IllegalArgumentException.class,
        () -> new Settings().set(Settings.CONDITIONAL_REQUESTS, "loose"));
  }

  private static FakeExchange express(String... headers) {
    return FakeExchange.of("GET", "/", headers).setting("conditional requests", "express");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "If-Match,\"v1\",0",
        "If-Match,`\"v0\", \"v1\"`,0",
        "If-Match,*,0",
        "If-Match,\"v2\",412",
        "If-Match,W/\"v1\",412",
        "If-Match,``,412",
        "If-None-Match,*,412",
        "If-None-Match,\"v1\",412",
        "If-None-Match,W/\"v1\",412",
        "If-None-Match,\"v2\",0",
        "If-Unmodified-Since,`Thu, 02 Jan 2020 03:04:05 GMT`,0",
        "If-Unmodified-Since,`Thu, 02 Jan 2020 03:04:04 GMT`,412",
        "If-Unmodified-Since,never,0",
        "If-Modified-Since,`Thu, 02 Jan 2020 03:04:05 GMT`,0",
        "X-Other,1,0"
      })
  void aHandlerCanCheckBeforeItMakesChanges(String name, String value, int status) {
    Instant changed = Instant.parse("2020-01-02T03:04:05.678Z");
    for (String method : List.of("PUT", "PATCH", "DELETE", "POST")) {
      Request req = FakeExchange.of(method, "/", name, value).request();
      assertEquals(status, rejection(() -> req.checkPreconditions("\"v1\"", changed)), method);
      boolean dated = name.endsWith("Since");
      assertEquals(dated ? 0 : status, rejection(() -> req.checkPreconditions("\"v1\"")), method);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "If-Match,*,412",
    "If-Match,\"v1\",412",
    "If-None-Match,*,0",
    "If-None-Match,\"v1\",0",
    "X-Other,1,0"
  })
  void aMissingResourceCanBeCreatedButNotChanged(String name, String value, int status) {
    Request req = FakeExchange.of("PUT", "/", name, value).request();
    assertEquals(status, rejection(() -> req.checkPreconditions(null)));
    assertEquals(status, rejection(() -> req.checkPreconditions(null, null)));
  }

  @Test
  void aResourceWithOnlyADateExists() {
    Instant changed = Instant.parse("2020-01-02T03:04:05Z");
    Request create = FakeExchange.of("PUT", "/", "If-None-Match", "*").request();
    assertEquals(412, rejection(() -> create.checkPreconditions(null, changed)));
    Request change = FakeExchange.of("PUT", "/", "If-Match", "*").request();
    assertEquals(0, rejection(() -> change.checkPreconditions(null, changed)));
  }

  @Test
  void aMatchingReadIsNotAnErrorAndBecomesA304() {
    FakeExchange exchange = FakeExchange.of("GET", "/", "If-None-Match", "\"v1\"");
    Response res = exchange.response();
    assertEquals(0, rejection(() -> res.req().checkPreconditions("\"v1\"")));
    res.set("ETag", "\"v1\"").send("x");
    assertEquals(304, exchange.status);
    Request match = FakeExchange.of("GET", "/", "If-Match", "\"v2\"").request();
    assertEquals(412, rejection(() -> match.checkPreconditions("\"v1\"")));
  }

  @Test
  void theCheckAlsoAppliesWithTheRulesOfExpress() {
    Request req =
        FakeExchange.of("PUT", "/", "If-Match", "\"v2\"")
            .setting("conditional requests", "express")
            .request();
    assertEquals(412, rejection(() -> req.checkPreconditions("\"v1\"")));
  }

  private static int rejection(Runnable check) {
    try {
      check.run();
      return 0;
    } catch (HttpError e) {
      return e.status();
    }
  }

  @Test
  void aFailedPreconditionRemovesTheHeadersOfTheBody() {
    FakeExchange exchange = FakeExchange.of("GET", "/", "If-Match", "\"v2\"");
    Request req = exchange.request();
    Handler handler =
        (asked, res) -> res.set("ETag", "\"v1\"").set("Cache-Control", "max-age=9").send("x");
    exchange.executor.execute(
        () -> Chain.of(handler).handle(req, req.response(), new FinalHandler(req.response())));
    assertEquals(412, exchange.status);
    assertNull(exchange.header("ETag"));
    assertNull(exchange.header("Cache-Control"));
  }
}
