package dev.percolate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses with malicious values; see docs/security/rows.tsv. */
final class ResponseRowsTest {

  private final App app = new App();

  private Reply answer(Call call, Handler handler) {
    app.get("/", handler);
    return call.to(app);
  }

  private Reply answer(Handler handler) {
    return answer(Call.get("/"), handler);
  }

  @ParameterizedTest(name = "RES-01: {0} in a value is refused when it is set")
  @ValueSource(strings = {"\r\nEvil: 1", "\n", "\r", "\0", "\r\n b", "\u007f", "\u0001"})
  void aLineBreakIsRejectedWhenItIsSet(String text) {
    Reply reply =
        answer(
            (req, res) -> {
              res.set("X", "before");
              assertThrows(IllegalArgumentException.class, () -> res.set("X", "a" + text));
              assertThrows(IllegalArgumentException.class, () -> res.append("Y", "a" + text));
              assertThrows(IllegalArgumentException.class, () -> res.headers().set("Z", text));
              res.send(res.headers().size() + " " + res.get("X"));
            });
    assertEquals("1 before", reply.text());
    assertNull(reply.header("Evil"));
  }

  @Test
  @DisplayName("RES-01: where the refusal is not caught, the error page is clean")
  void theErrorPageIsClean() {
    Reply reply = answer((req, res) -> res.set("X", "a\r\nEvil: 1").send("x"));
    assertEquals(500, reply.status());
    assertNull(reply.header("X"));
    assertNull(reply.header("Evil"));
  }

  @ParameterizedTest(name = "RES-02: a header named \"{0}\" is refused")
  @ValueSource(strings = {"", "X Y", "X\u00e9", "X:", "X\r\n", "X(", "\"X\""})
  void aNameIsAToken(String name) {
    answer(
        (req, res) -> {
          assertThrows(IllegalArgumentException.class, () -> res.set(name, "v"));
          res.end();
        });
  }

  @Test
  @DisplayName("RES-02: a character above U+00FF in a value is refused, not replaced")
  void aValueIsLatin1() {
    Reply reply =
        answer(
            (req, res) -> {
              assertThrows(IllegalArgumentException.class, () -> res.set("X", "\u560d\u560a"));
              res.set("X", "\u00e9").send("x");
            });
    assertEquals("\u00e9", reply.header("X"));
  }

  @ParameterizedTest(name = "RES-03: the status {0} is refused at the call")
  @ValueSource(ints = {0, 99, 1000, -1, Integer.MAX_VALUE})
  void aStatusHasThreeDigits(int status) {
    Reply reply =
        answer(
            (req, res) -> {
              assertThrows(IllegalArgumentException.class, () -> res.status(status));
              res.send("still here");
            });
    assertEquals("200 still here", reply.status() + " " + reply.text());
  }

  @ParameterizedTest(name = "RES-05: {0} has no body")
  @ValueSource(ints = {204, 304})
  void someStatusesHaveNoBody(int status) {
    Reply reply = answer((req, res) -> res.status(status).send("body"));
    assertEquals(status, reply.status());
    assertEquals("", reply.text());
    assertNull(reply.header("Content-Length"));
  }

  @Test
  @DisplayName("RES-05: HEAD has the headers of GET and no body")
  void headHasNoBody() {
    Reply reply = answer(Call.head("/"), (req, res) -> res.send("body"));
    assertEquals("", reply.text());
    assertEquals("4", reply.header("Content-Length"));
  }

  @ParameterizedTest(name = "RES-05: {0} bytes announced, four given")
  @ValueSource(strings = {"3", "5"})
  void aWrongLengthClosesTheConnection(String length) {
    Reply reply =
        answer(
            (req, res) -> {
              res.set("Content-Length", length);
              res.write("fo");
              res.end("ur");
            });
    assertFalse(reply.complete());
  }

  @ParameterizedTest(name = "RES-06: {0} goes to {1}")
  @CsvSource({
    "http://google.com\\@evil.com, http://google.com/@evil.com",
    "//google.com\\@evil.com, //google.com/@evil.com",
    "http://google.com/\\@evil.com, http://google.com/%5C@evil.com",
    "/\\evil.com, /%5Cevil.com",
    "/x?next=http://a\\b, /x?next=http://a%5Cb",
    "http://a.test/\u20ac, http://a.test/%E2%82%AC",
    "//evil, //evil",
    "\\evil, /evil",
    "'\t//evil', /evil",
    "http://a.test\uff0f@evil.com/, http://a.test%EF%BC%8F@evil.com/",
    "http://a.test\uff0f.evil.com/, http://a.test%EF%BC%8F.evil.com/",
  })
  void aRedirectDoesNotChangeItsHost(String url, String location) {
    Reply reply = answer((req, res) -> res.redirect(url));
    String sent = String.valueOf(reply.header("Location"));
    assertEquals(location, sent);
  }

  @ParameterizedTest(name = "RES-06: {0} is no link in the page")
  @ValueSource(strings = {"javascript:alert(1)//://", " JavaScript:x://", "data:text/html,://x"})
  void aScriptIsNoLink(String url) {
    Reply reply =
        answer(Call.get("/").header("Accept", "text/html"), (req, res) -> res.redirect(url));
    assertFalse(reply.text().contains("href"), reply.text());
  }

  @ParameterizedTest(name = "RES-07: back to {0} is {1}")
  @CsvSource({
    "https://evil/, /",
    "//evil/x, /",
    "/\\evil, /",
    "http://shop.test@evil/, /",
    "/page?x, /page?x",
    "http://shop.test/page, http://shop.test/page",
    "HTTP://SHOP.test/page, HTTP://SHOP.test/page",
    "http://shop.test:81/page, /",
  })
  void backLeadsToTheSameHost(String referrer, String location) {
    Call call = Call.get("/").header("Host", "shop.test").header("Referer", referrer);
    Reply reply = answer(call, (req, res) -> res.redirect("back"));
    assertEquals(location, reply.header("Location"));
  }

  @Test
  @DisplayName("RES-08: what would end a link is encoded; commas and semicolons stay, decision 13")
  void aLinkEndsWhereItEnds() {
    String next = "x>; rel=preload, <http://evil/1.js";
    Reply reply = answer((req, res) -> res.links(Map.of("next\"; a=\"b", next)).end());
    assertEquals(
        "<x%3E;%20rel=preload,%20%3Chttp://evil/1.js>; rel=\"next\\\"; a=\\\"b\"",
        reply.header("Link"));
  }

  @ParameterizedTest(name = "RES-09: callback={0}")
  @CsvSource({"<script>, script", "alert(1)//, alert1", "a.b[0], a.b[0]", "CWS%07%0e, CWS"})
  void aCallbackIsANameOnly(String callback, String kept) {
    Reply reply = answer(Call.get("/?callback=" + callback), (req, res) -> res.jsonp("\u2028<"));
    String call = "/**/ typeof " + kept + " === 'function' && " + kept + "(\"\\u2028<\");";
    assertEquals(call, reply.text());
    assertEquals("nosniff", reply.header("X-Content-Type-Options"));
    assertTrue(String.valueOf(reply.header("Content-Type")).startsWith("text/javascript"));
  }

  @Test
  @DisplayName("RES-09: a callback of 8 kB is none, of a list the first counts")
  void aCallbackIsShort() {
    app.set("json spaces", 0);
    Call call = Call.get("/?callback=" + "a".repeat(8000));
    assertEquals("{\"a\":1}", answer(call, (req, res) -> res.jsonp(Map.of("a", 1))).text());
    Call list = Call.get("/?callback=f&callback=g");
    assertTrue(list.to(app).text().contains("=== 'function' && f("));
  }

  @Test
  @DisplayName("RES-10: the setting json escape keeps HTML out of JSON")
  void jsonCanBeEscaped() {
    Handler script = (req, res) -> res.json("</script>&");
    assertEquals("\"</script>&\"", answer(script).text());
    app.set("json escape", true);
    assertEquals("\"\\u003c/script\\u003e\\u0026\"", Call.get("/").to(app).text());
  }

  @Test
  @DisplayName("RES-11: a path and a message with markup are escaped on the default pages")
  void defaultPagesAreEscaped() {
    Reply absent = Call.get("/<script>'\"&").to(app);
    assertEquals(404, absent.status());
    assertEquals("Cannot GET /&lt;script&gt;&#39;&quot;&amp;\n", absent.text());
    assertEquals("text/html; charset=utf-8", absent.header("Content-Type"));
    Reply failed =
        answer(
            (req, res) -> {
              throw new IllegalStateException("<script>");
            });
    assertEquals(500, failed.status());
    assertTrue(failed.text().contains("&lt;script&gt;"), failed.text());
    assertFalse(failed.text().contains("<script>"), failed.text());
  }
}
