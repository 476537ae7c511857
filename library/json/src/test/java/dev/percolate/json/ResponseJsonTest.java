package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import dev.percolate.core.Settings;
import dev.percolate.http.CookieOptions;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResponseJsonTest {

  private static final String JSON = "application/json; charset=utf-8";

  private final Settings settings = new Settings().set("etag", "weak");

  private Reply answer(String target, Handler handler) {
    return Call.get(target).to(Chain.service(settings, handler));
  }

  @Test
  void valuesAreJsonInUtf8WithAnEntityTag() {
    Reply reply = answer("/", (req, res) -> res.json(201, Map.of("id", 1)));
    assertEquals(201, reply.status());
    assertEquals(JSON, reply.header("Content-Type"));
    assertEquals("W/\"8-c445df8c5b0c05c54\"", reply.header("ETag"));
    assertEquals("{\"id\":1}", reply.text());
  }

  @Test
  void aTypeSetBeforeIsKept() {
    Reply reply = answer("/", (req, res) -> res.type("application/hal+json").json(List.of()));
    assertEquals("application/hal+json; charset=utf-8", reply.header("Content-Type"));
  }

  @Test
  void sendWritesOtherValuesThanTextAndBytesAsJson() {
    assertEquals("true", answer("/", (req, res) -> res.send(true)).text());
    assertEquals("0.5", answer("/", (req, res) -> res.send(200, 0.5)).text());
    assertEquals("201", answer("/", (req, res) -> res.json(200, 201)).text());
    assertEquals("null", answer("/", (req, res) -> res.json(null)).text());
  }

  @Test
  void anAbsentValueHasAnEmptyBodyAndNoEntityTag() {
    Reply reply = answer("/", (req, res) -> res.json(JsonCodec.ABSENT));
    assertEquals(JSON, reply.header("Content-Type"));
    assertEquals("0", reply.header("Content-Length"));
    assertNull(reply.header("ETag"));
    assertEquals("", reply.text());
    reply = answer("/", (req, res) -> res.type("Text/X").json(JsonCodec.ABSENT));
    assertEquals("Text/X", reply.header("Content-Type"));
    reply = answer("/", (req, res) -> res.charset("koi8-r").json(JsonCodec.ABSENT));
    assertEquals("application/json; charset=koi8-r", reply.header("Content-Type"));
  }

  @Test
  void spacesAndReplacerAreSettings() {
    settings.set("json spaces", 2).set("json replacer", List.of("b", "a"));
    Map<String, Integer> value = Map.of("a", 1, "b", 2, "c", 3);
    assertEquals(
        "{\n  \"b\": 2,\n  \"a\": 1\n}", answer("/", (req, res) -> res.json(value)).text());
    settings.set("json spaces", "\t".repeat(12)).set("json replacer", null);
    assertEquals(
        "[\n" + "\t".repeat(10) + "1\n]", answer("/", (req, res) -> res.json(List.of(1))).text());
    JsonCodec.Replacer absent = (key, item) -> JsonCodec.ABSENT;
    settings.set("json replacer", absent);
    assertNull(answer("/", (req, res) -> res.json(value)).header("ETag"));
    assertEquals("null", answer("/", (req, res) -> res.jsonp(value)).text());
  }

  @ParameterizedTest
  @CsvSource({"/", "/?callback=", "/?callback", "/?callback[a]=x", "/?other=f"})
  void jsonpWithoutCallbackIsJsonThatIsNotSniffed(String target) {
    Reply reply = answer(target, (req, res) -> res.jsonp(201, Map.of("s", "a\u2028")));
    assertEquals(201, reply.status());
    assertEquals(JSON, reply.header("Content-Type"));
    assertEquals("nosniff", reply.header("X-Content-Type-Options"));
    assertEquals("{\"s\":\"a\u2028\"}", reply.text());
    reply = answer(target, (req, res) -> res.type("a/b").jsonp(1));
    assertEquals("a/b; charset=utf-8", reply.header("Content-Type"));
    assertNull(reply.header("X-Content-Type-Options"));
  }

  @Test
  void jsonpWithCallbackIsAScript() {
    Reply reply = answer("/?callback=a.b(", (req, res) -> res.type("a/b").jsonp(List.of("\u2029")));
    assertEquals("text/javascript; charset=utf-8", reply.header("Content-Type"));
    assertEquals("nosniff", reply.header("X-Content-Type-Options"));
    assertEquals("/**/ typeof a.b === 'function' && a.b([\"\\u2029\"]);", reply.text());
    reply = answer("/?callback=f", (req, res) -> res.jsonp(JsonCodec.ABSENT));
    assertEquals("/**/ typeof f === 'function' && f(null);", reply.text());
  }

  @Test
  void theFirstCallbackIsUsedAndASettingNamesTheParameter() {
    String called = "/**/ typeof one === 'function' && one(1);";
    assertEquals(called, answer("/?callback=one&callback=two", (req, res) -> res.jsonp(1)).text());
    assertEquals(called, answer("/?callback[]=one", (req, res) -> res.jsonp(1)).text());
    settings.set("jsonp callback name", "clb");
    assertEquals(called, answer("/?clb=one&callback=two", (req, res) -> res.jsonp(1)).text());
  }

  @Test
  void cookiesContainMapsListsAndNullAsJson() {
    Reply reply =
        answer(
            "/",
            (req, res) -> {
              res.cookie("map", Map.of("name", "tobi")).cookie("list", Arrays.asList("a b", null));
              res.cookie("none", null).cookie("two", 2.0).end();
            });
    assertEquals(
        List.of(
            "map=j%3A%7B%22name%22%3A%22tobi%22%7D; Path=/",
            "list=j%3A%5B%22a%20b%22%2Cnull%5D; Path=/", "none=j%3Anull; Path=/", "two=2; Path=/"),
        reply.all("Set-Cookie"));
  }

  @Test
  void cookiesAreSignedWithTheirPrefix() {
    Reply reply =
        answer(
            "/",
            (req, res) -> {
              req.attr(Request.SECRET, "foo bar baz");
              req.settings().set(Settings.COOKIE_SIGNATURE, "express");
              res.cookie("user", Map.of("name", "tobi"), CookieOptions.none().signed(true)).end();
            });
    assertEquals(
        "user=s%3Aj%3A%7B%22name%22%3A%22tobi%22%7D"
            + ".K20xcwmDS%2BPb1rsD95o5Jm5SqWs1KteqdnynnB7jkTE; Path=/",
        reply.header("Set-Cookie"));
  }

  @Test
  void numbersWithAFractionAreWrittenAsInJson() {
    Reply reply = answer("/", (req, res) -> res.set(Map.of("X-N", List.of(3.0, 0.5, 7))).end());
    assertEquals(List.of("3", "0.5", "7"), reply.all("X-N"));
  }
}
