package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import dev.percolate.core.Settings;
import dev.percolate.core.TypeRef;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestExchange;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonParserTest {

  private static final String JSON = "application/json";

  /** A type that bodies are read to. */
  public record Item(long id) {}

  @Test
  void emptyBodyIsAnEmptyMap() {
    assertEquals(Map.of(), play("", BodyParsers.json()).body());
    assertEquals(Map.of(), play("", BodyParsers.json().strict(false)).body());
    assertEquals(Map.of(), play("\ufeff", BodyParsers.json()).body());
    JsonParser reviving = BodyParsers.json().reviver((key, value) -> "revived");
    assertEquals(Map.of(), play("", reviving).body());
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "\t", "\r\n  "})
  void whitespaceAloneIsAnUnexpectedEnd(String text) {
    for (JsonParser parser : List.of(BodyParsers.json(), BodyParsers.json().strict(false))) {
      Recorder seen = play(text, parser);
      String start = "400 entity.parse.failed JSON: unexpected end of text at line ";
      assertTrue(seen.failure().startsWith(start), seen.failure());
    }
  }

  @ParameterizedTest
  @DisplayName("JSON-05: strict takes objects and arrays only")
  @ValueSource(
      strings = {
        "1",
        "\"a\"",
        "null",
        "true",
        " ",
        "\u000b[1]",
        "\u00a0[1]",
        "\f[1]",
        "nonsense",
        "{\"a\":1}x",
        "[1,]",
        "{'a':1}",
        "[NaN]",
        "[1] // x",
        "{\"x",
        "\ufeff\ufeff[1]"
      })
  void strictAcceptsOnlyObjectsAndArrays(String text) {
    Recorder seen = play(text, BodyParsers.json());
    assertEquals(400, seen.error().status());
    assertEquals("entity.parse.failed", seen.error().type());
    assertTrue(seen.error().expose());
    String decoded = text.startsWith("\ufeff") ? text.substring(1) : text;
    assertEquals(decoded, seen.error().field("body"));
    assertNull(seen.body);
  }

  @Test
  void strictAcceptsLeadingWhitespace() {
    assertEquals(List.of(1), play(" \t\n\r[1]", BodyParsers.json()).body());
    assertEquals(Map.of(), play("\n{}", BodyParsers.json()).body());
  }

  @Test
  void anyValueIsAcceptedIfNotStrict() {
    JsonParser parser = BodyParsers.json().strict(false);
    assertEquals(1, play("1", parser).body());
    assertEquals("a", play("\"a\"", parser).body());
    assertNull(play("null", parser).body());
    assertEquals(400, play(" ", parser).error().status());
  }

  @Test
  void theMessageHasLineAndColumn() {
    Recorder seen = play("[1,\n2,]", BodyParsers.json());
    assertEquals("JSON: unexpected ']' at line 2, column 3", seen.error().getMessage());
  }

  @Test
  void theBodyIsConvertedToATypeFromItsText() {
    Recorder seen = play("{\"id\":9007199254740993}", BodyParsers.json());
    assertNotNull(seen.req);
    assertEquals(new Item(9007199254740993L), seen.req.body(Item.class));
    seen = play("", BodyParsers.json());
    assertNotNull(seen.req);
    Request empty = seen.req;
    HttpError missing = assertThrows(HttpError.class, () -> empty.body(Item.class));
    assertEquals("400 value.invalid", missing.status() + " " + missing.type());
    seen = play("[{\"id\":1}]", BodyParsers.json());
    assertNotNull(seen.req);
    assertEquals(List.of(new Item(1)), seen.req.body(new TypeRef<List<Item>>() {}));
    Request read = seen.req;
    HttpError error = assertThrows(HttpError.class, () -> read.body(Item.class));
    assertEquals("400 value.invalid", error.status() + " " + error.type());
    assertEquals("[{\"id\":1}]", error.field("body"));
  }

  @Test
  void reviverGoesFromInsideToOutside() {
    List<String> order = new ArrayList<>();
    JsonParser parser =
        BodyParsers.json()
            .reviver(
                (key, value) -> {
                  order.add(key + "=" + value);
                  return value;
                });
    assertEquals(Map.of("a", List.of(1, 2), "b", 3), play("{\"a\":[1,2],\"b\":3}", parser).body());
    assertEquals(List.of("0=1", "1=2", "a=[1, 2]", "b=3", "={a=[1, 2], b=3}"), order);
  }

  @Test
  void reviverReplacesAndRemoves() {
    JsonParser parser =
        BodyParsers.json()
            .reviver((key, value) -> Integer.valueOf(1).equals(value) ? JsonCodec.ABSENT : value);
    Recorder seen = play("{\"a\":1,\"b\":[1,2]}", parser);
    assertEquals(Map.of("b", Arrays.asList(null, 2)), seen.body());
    JsonParser whole = BodyParsers.json().reviver((key, value) -> key.isEmpty() ? "all" : value);
    assertEquals("all", play("[1]", whole).body());
    JsonParser none = BodyParsers.json().reviver((key, value) -> JsonCodec.ABSENT);
    assertNull(play("[1]", none).body());
  }

  @Test
  void errorOfTheReviverKeepsItsMessageOnly() {
    JsonParser parser =
        BodyParsers.json()
            .reviver(
                (key, value) -> {
                  throw new HttpError(422, "no such value", "value.bad", null);
                });
    Recorder seen = play("[1]", parser);
    assertEquals("400 entity.parse.failed no such value", seen.failure());
    assertEquals("[1]", seen.error().field("body"));
  }

  @ParameterizedTest // DECISIONS 10
  @DisplayName("BODY-17, BODY-18: charsets that are not of unicode are refused")
  @ValueSource(
      strings = {
        "utf-7",
        "UTF-7",
        "koi8-r",
        "iso-8859-1",
        "x-JISAutoDetect",
        "../x",
        "utf-",
        "utf-99",
        "us-ascii"
      })
  void charsetsThatAreNotOfUnicodeAreRejected(String charset) {
    Recorder seen = Recorder.play(Post.of(JSON + "; charset=" + charset, "[]"), BodyParsers.json());
    String message = "unsupported charset \"" + charset.toUpperCase(Locale.ROOT) + "\"";
    assertEquals("415 charset.unsupported " + message, seen.failure());
    assertEquals(charset.toLowerCase(Locale.ROOT), seen.error().field("charset"));
  }

  @Test
  @DisplayName("BODY-18: first charset counts and an empty one is the default")
  void firstCharsetCountsAndAnEmptyOneIsTheDefault() {
    for (String charset : List.of("utf-8; charset=utf-7", "\"utf-8\"", "\"\"", "", "UTF-8")) {
      TestExchange exchange = Post.of(JSON + ";charset=" + charset, "[\"\u00e9\"]");
      assertEquals(List.of("\u00e9"), Recorder.play(exchange, BodyParsers.json()).body());
    }
    String name = "utf-" + "9".repeat(4000);
    Recorder seen = Recorder.play(Post.of(JSON + ";charset=" + name, "[]"), BodyParsers.json());
    String message = seen.error().getMessage();
    assertEquals(62, message == null ? 0 : message.length());
  }

  @Test
  void exactNumbersKeepTheirDigits() {
    JsonParser parser = BodyParsers.json().exactNumbers(true);
    List<Object> exact = List.of(9007199254740993L, new BigDecimal("0.10"));
    assertEquals(exact, play("[9007199254740993,0.10]", parser).body());
    assertEquals(exact, play("[9007199254740993,0.10]", parser.depth(1)).body());
    assertEquals(List.of(1), play("[1.0]", BodyParsers.json()).body());
  }

  @Test
  @DisplayName("JSON-01: all that the limit of the body allows is read on a small stack")
  void bodiesUpToTheLimitAreParsedOnASmallStack() throws InterruptedException {
    JsonParser reviving = BodyParsers.json().reviver((key, value) -> value);
    JsonParser emptying =
        BodyParsers.json().reviver((key, value) -> key.isEmpty() ? value : JsonCodec.ABSENT);
    List<Object> seen = new ArrayList<>();
    Runnable task =
        () -> {
          String lists = "[".repeat(51_200) + "]".repeat(51_200);
          String maps = "{\"\":".repeat(17_000) + "1" + "}".repeat(17_000);
          for (JsonParser parser : List.of(BodyParsers.json(), reviving, emptying)) {
            seen.add(play(lists, parser).body() instanceof List);
            seen.add(play(maps, parser).body() instanceof Map);
          }
        };
    Thread thread = new Thread(null, task, "small", 512 * 1024);
    thread.start();
    thread.join();
    assertEquals(Collections.nCopies(6, true), seen);
  }

  @Test
  @DisplayName("JSON-01: the depth is an option")
  void depthIsAnOption() {
    JsonParser parser = BodyParsers.json().depth(2);
    assertEquals(List.of(List.of()), play("[[]]", parser).body());
    Recorder seen = play("[[[]]]", parser.exactNumbers(false));
    assertEquals(
        "JSON: nested deeper than 2 levels at line 1, column 3", seen.error().getMessage());
    assertThrows(IllegalArgumentException.class, () -> assertNotNull(parser.depth(0)));
  }

  @Test
  @DisplayName("JSON-03: digits that come one by one make the same number")
  void digitsInSeparateChunksFormTheSameNumber() {
    for (String number :
        List.of("1".repeat(400), "0." + "3".repeat(900), "1" + "0".repeat(99_000))) {
      String text = "[" + number + "]";
      Object whole = play(text, BodyParsers.json()).body();
      TestExchange pieces = Post.of(JSON, text).chunkSize(1);
      assertEquals(whole, Recorder.play(pieces, BodyParsers.json()).body());
    }
    JsonParser exact = BodyParsers.json().exactNumbers(true);
    TestExchange digits = Post.of(JSON, "[" + "1".repeat(50_000) + "]").chunkSize(1);
    assertEquals(400, Recorder.play(digits, exact).error().status());
  }

  @Test
  @DisplayName("JSON-07: the message of an error holds nothing of the body but one character")
  void theMessageDoesNotContainTheBody() {
    Recorder seen = play("{\"a\":\"secret\"}<script>", BodyParsers.json());
    assertEquals("JSON: unexpected '<' at line 1, column 15", seen.error().getMessage());
    seen = play("[\"secret\"\u001b[2J", BodyParsers.json());
    assertEquals("JSON: unexpected U+001B at line 1, column 10", seen.error().getMessage());
    Service service = Chain.service(new Settings().set("env", "test"), BodyParsers.json());
    Reply page = Post.of(JSON, "{\"secret\"<b>}").serve(service).reply();
    assertEquals(400, page.status());
    assertFalse(page.text().contains("secret") || page.text().contains("<b>"), page.text());
  }

  @Test
  void theDefaultCharsetAppliesIfNoneIsNamed() {
    JsonParser parser = BodyParsers.json().defaultCharset("utf-16le");
    byte[] body = {'[', 0, ']', 0};
    assertEquals(List.of(), Recorder.play(Post.of(JSON, body), parser).body());
    Recorder seen = play("[]", BodyParsers.json().defaultCharset("latin1"));
    assertEquals("charset.unsupported", seen.error().type());
  }

  @Test
  @DisplayName("JSON-01: deep body is refused")
  void deepBodyIsRejected() {
    assertEquals(400, play("[".repeat(50_000), BodyParsers.json()).error().status());
    Recorder seen = play("[".repeat(800) + "]".repeat(800), BodyParsers.json());
    assertTrue(seen.body() instanceof List);
  }

  private static Recorder play(String body, JsonParser parser) {
    return Recorder.play(Post.of(JSON, body), parser);
  }
}
