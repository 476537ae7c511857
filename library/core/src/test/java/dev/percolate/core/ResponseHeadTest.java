package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.http.MimeTypes;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseHeadTest {

  private final FakeExchange exchange = new FakeExchange();
  private final Response res = exchange.response();

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 99, 100, 101, 102, 103, 199, 1000})
  void anInvalidStatusIsRejected(int code) {
    assertThrows(IllegalArgumentException.class, () -> res.status(code));
    assertEquals(200, res.status());
  }

  @Test
  void settingAHeaderAgainReplacesItInAnyCase() {
    res.set("X-Once", "a").set("x-once", "b").remove("X-Gone");
    assertEquals(List.of("b"), res.headers().all("X-ONCE"));
    assertNull(res.get("X-None"));
  }

  @Test
  void anAbsentValueInAListIsRejected() {
    List<String> absent = Collections.singletonList(null);
    List<String> partly = Arrays.asList("a", null);
    for (List<String> values : List.of(absent, partly)) {
      assertThrows(IllegalArgumentException.class, () -> res.set("X-A", values));
      assertThrows(IllegalArgumentException.class, () -> res.set("Set-Cookie", values));
      assertThrows(IllegalArgumentException.class, () -> res.set(Map.of("X-A", values)));
    }
    assertNull(res.get("X-A"));
    assertNull(res.get("Set-Cookie"));
  }

  @Test
  void aListIsSentAsSeveralHeaderLines() {
    res.set("X-N", List.of("1", "2"));
    assertEquals(List.of("1", "2"), res.headers().all("x-n"));
    res.set("X-N", List.of());
    assertNull(res.get("X-N"));
  }

  @Test
  void aMapSetsEachHeaderAsAString() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("X-A", "a");
    values.put("X-B", 2);
    values.put("X-C", List.of(true, 3L));
    res.set(values);
    assertEquals("X-A: a\nX-B: 2\nX-C: true\nX-C: 3\n", res.headers().toString());
    assertThrows(
        IllegalArgumentException.class, () -> res.set(Collections.singletonMap("X-D", null)));
  }

  @Test
  void cookiesAreAddedAndAListAddsOnlyNewOnes() {
    res.set("Set-Cookie", "a=1").set("set-cookie", "a=1").set("Set-Cookie", List.of("a=1"));
    res.set("Set-Cookie", List.of("b=2", "a=1", "c=3"));
    assertEquals(List.of("a=1", "a=1", "a=1", "b=2", "c=3"), res.headers().all("Set-Cookie"));
  }

  @ParameterizedTest
  @CsvSource({"'a\r\nX: y',", "'a\nb',", "a\u20acb,"})
  void aValueWithLineBreaksIsRejected(String value) {
    assertThrows(IllegalArgumentException.class, () -> res.set("X", value));
    assertThrows(IllegalArgumentException.class, () -> res.append("X", value));
    assertThrows(IllegalArgumentException.class, () -> res.set("X", List.of("a", value)));
    assertEquals(0, res.headers().size());
  }

  @ParameterizedTest
  @CsvSource({
    "utf-8,text/x-foo,text/x-foo; charset=utf-8",
    "koi8-r,html,text/html; charset=koi8-r",
    "koi8-r,text/plain;charset=ascii,text/plain;charset=ascii",
    "'a b',Text/Plain; b=2; a=1,text/plain; a=1; b=2; charset=\"a b\"",
    "'',html,text/html; charset=utf-8"
  })
  void theCharsetIsAddedToTypesSetLater(String charset, String type, String expected) {
    assertNull(res.charset());
    assertEquals(expected, res.charset(charset).type(type).get("content-type"));
    assertEquals(charset, res.charset());
  }

  @Test
  void theCharsetDoesNotChangeAnEarlierType() {
    res.type("html").charset("big5").end();
    assertEquals("text/html; charset=utf-8", exchange.header("Content-Type"));
    Response other = new FakeExchange().response().charset("whoop");
    assertEquals("text/html; charset=utf-8", other.send("hey").get("Content-Type"));
    Response malformed = new FakeExchange().response().charset("utf-8");
    assertThrows(IllegalArgumentException.class, () -> malformed.set("Content-Type", "nonsense"));
  }

  @ParameterizedTest
  @CsvSource({
    ".html,text/html; charset=utf-8",
    "mjs,text/javascript; charset=utf-8",
    "json,application/json",
    "photo.big.PNG,image/png",
    "application/x-own,application/x-own",
    "unknownext,application/octet-stream",
    "'',application/octet-stream"
  })
  void aTypeMayBeAFileExtension(String type, String expected) {
    assertEquals(expected, res.type(type).get("Content-Type"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/\u00e9", "text/\u65e5", "text/x\u007f"})
  void aTypeAndACharsetMustBeAscii(String text) {
    assertThrows(IllegalArgumentException.class, () -> res.type(text));
    assertThrows(IllegalArgumentException.class, () -> res.charset(text));
    assertNull(res.get("Content-Type"));
  }

  @Test
  void theSettingDefinesTheTypesOfExtensions() {
    exchange.setting("mime types", Map.of("parquet", "application/vnd.apache.parquet"));
    assertEquals("application/vnd.apache.parquet", res.type("parquet").get("Content-Type"));
    assertEquals("text/css; charset=utf-8", res.type("css").get("Content-Type"));
    exchange.setting("mime types", MimeTypes.express());
    assertEquals("application/javascript", res.type("js").get("Content-Type"));
    assertEquals("text/css", res.type("css").get("Content-Type"));
    assertEquals("application/octet-stream", res.type("parquet").get("Content-Type"));
  }

  @Test
  void varyAddsNamesOnce() {
    res.vary().vary("").vary("Accept").vary("accept,Cookie").vary("Origin", "COOKIE");
    assertEquals("Accept, Cookie, Origin", res.get("Vary"));
    assertThrows(IllegalArgumentException.class, () -> res.vary("bad name"));
    assertThrows(IllegalArgumentException.class, () -> res.vary("caf\u00e9"));
    res.set("Vary", List.of("A", "B")).vary("c");
    assertEquals(List.of("A, B, c"), res.headers().all("Vary"));
    assertEquals("*", res.vary("*").vary("More").get("Vary"));
    assertNull(new FakeExchange().response().vary("").get("Vary"));
  }

  @Test
  void linksAreAdded() {
    res.links(Map.of()).links(Map.of("next", "/2")).links(Map.of("last", "/5"));
    assertEquals("</2>; rel=\"next\", </5>; rel=\"last\"", res.get("Link"));
  }

  @Test
  void textOutsideAsciiIsEncodedUnlessTheSettingIsLatin1() {
    res.links(Map.of("next", "/\u00e9")).attachment("\u00e9.txt").location("/\u00e9");
    assertEquals("</%C3%A9>; rel=\"next\"", res.get("Link"));
    assertEquals(
        "attachment; filename=\"?.txt\"; filename*=UTF-8''%C3%A9.txt",
        res.get("Content-Disposition"));
    assertEquals("/%C3%A9", res.get("Location"));
    exchange.setting("header encoding", "latin1");
    res.remove("Link")
        .links(Map.of("next", "/\u00e9"))
        .attachment("\u00e9.txt")
        .location("/\u00e9");
    assertEquals("</\u00e9>; rel=\"next\"", res.get("Link"));
    assertEquals("attachment; filename=\"\u00e9.txt\"", res.get("Content-Disposition"));
    assertEquals("/\u00e9", res.get("Location"));
  }

  /** A value may come from another server that sends unencoded UTF-8. */
  @ParameterizedTest
  @CsvSource({
    "/\u00e9,/%C3%A9",
    "/\u20ac x,/%E2%82%AC%20x",
    "/\u00c3\u00a9,/%C3%A9",
    "/%20a,/%20a"
  })
  void aLocationSetAsAHeaderIsEncoded(String value, String expected) {
    assertEquals(expected, res.set("location", value).get("Location"));
    assertEquals(expected, res.set(Map.of("Content-Location", value)).get("Content-Location"));
    assertEquals(expected, res.remove("Location").append("Location", value).get("Location"));
    exchange.setting("header encoding", "latin1");
    assertEquals("/\u00e9", res.set("Location", "/\u00e9").get("Location"));
  }

  @Test
  void anAttachmentHasANameAndTheTypeOfItsExtension() {
    assertEquals("attachment", res.attachment().get("Content-Disposition"));
    assertNull(res.get("Content-Type"));
    res.attachment("/path/to/image.png");
    assertEquals("attachment; filename=\"image.png\"", res.get("Content-Disposition"));
    assertEquals("image/png", res.get("Content-Type"));
    assertEquals("application/octet-stream", res.attachment("html").get("Content-Type"));
  }

  @Test
  void localsCanBeMerged() {
    res.locals().put("a", 1);
    assertSame(res, res.locals(Map.of("a", 2, "b", 3)));
    assertEquals(Map.of("a", 2, "b", 3), res.locals());
  }

  @Test
  void nothingChangesAfterTheHeadersWereSent() throws Exception {
    res.write("x");
    for (Runnable change :
        Arrays.<Runnable>asList(
            () -> res.set("X", "1"),
            () -> res.append("X", "1"),
            () -> res.remove("X"),
            () -> res.cookie("a", "1"),
            () -> res.vary("A"),
            () -> res.redirect("/x"),
            () -> res.attachment("a"))) {
      assertThrows(IllegalStateException.class, change::run);
    }
    res.end();
    assertEquals("x", exchange.body());
    assertEquals(0, res.headers().size());
  }
}
