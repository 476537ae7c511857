package dev.percolate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.percolate.core.Handler;
import dev.percolate.core.Request;
import dev.percolate.framework.App;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.CookieSignature;
import dev.percolate.http.Cookies;
import dev.percolate.middleware.CookieParser;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cookies that would break a header, or are forged; see docs/security/rows.tsv. */
final class CookieRowsTest {

  private static final String SECRET = "keyboard cat";

  private final App app = new App();

  private String told(String cookie, Function<Request, Object> what) {
    app.use(CookieParser.of(SECRET).json(true));
    app.use((Handler) (req, res) -> res.send(String.valueOf(what.apply(req))));
    return Call.get("/").header("Cookie", cookie).to(app).text();
  }

  private Reply answer(Handler handler) {
    app.use(handler);
    return Call.get("/").to(app);
  }

  @ParameterizedTest(name = "CK-01: a cookie named \"{0}\" is refused")
  @ValueSource(strings = {"", "a;b", "a\r\nb", "a b", "a=b", "a,b", "\u00e9", "a\0"})
  void aNameIsAToken(String name) {
    answer(
        (req, res) -> {
          assertThrows(IllegalArgumentException.class, () -> res.cookie(name, "v"));
          assertThrows(IllegalArgumentException.class, () -> res.clearCookie(name));
          assertEquals(0, res.headers().size());
          res.end();
        });
  }

  @ParameterizedTest(name = "CK-01: \"{0}\" is refused in path, domain and unencoded value")
  @ValueSource(strings = {"a; Secure", "a\r\nX: 1", "a\n", "\0", "\u20ac"})
  void attributesHoldNothingThatEndsThem(String text) {
    List<UnaryOperator<CookieOptions>> all =
        List.of(
            none -> none.path(text), none -> none.domain(text), none -> none.encode(value -> text));
    answer(
        (req, res) -> {
          for (UnaryOperator<CookieOptions> change : all) {
            assertThrows(
                IllegalArgumentException.class,
                () -> res.cookie("n", "v", change.apply(CookieOptions.none())));
          }
          assertEquals(0, res.headers().size());
          res.cookie("n", text).end();
        });
  }

  @ParameterizedTest(name = "CK-02: {0} is read as {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "a=\"b;c\" | {a=}",
        "a=\"b; c=d | {a=, c=d}",
        "$Version=1; a=1 | {$Version=1, a=1}",
        "a | {}",
        "=b; a=1 | {=b, a=1}",
        "__proto__=1 | {__proto__=1}",
        "a=1; a=2 | {a=1}",
        ";;; a=1;; | {a=1}",
        "a=%zz | {a=%zz}",
      })
  void oddCookiesAreRead(String header, String cookies) {
    assertEquals(cookies, told(header, Request::cookies));
  }

  @Test
  @DisplayName("CK-02: a quoted value never swallows the next cookie")
  void aQuoteEndsWithItsPiece() {
    Map<String, String> cookies = Cookies.parse("a=\"b; sid=1; c=\"d");
    assertEquals("1", cookies.get("sid"));
  }

  @Test
  @DisplayName("CK-02: two hundred cookies are read, in linear time")
  void thereIsAMost() {
    StringBuilder header = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      header.append("c").append(i).append("=1;");
    }
    assertEquals("200", told(header.toString(), req -> req.cookies().size()));
    assertTimeout(Duration.ofSeconds(5), () -> Cookies.parse(";".repeat(1_000_000)));
    assertTimeout(Duration.ofSeconds(5), () -> Cookies.parse("a=\"".repeat(300_000)));
  }

  @Test
  @DisplayName("CK-03: a signed cookie that is cut, changed, empty or by another secret is false")
  void aWrongSignatureIsFalse() {
    String good = CookieSignature.sign("cookie", "u", "tobi", SECRET);
    String old = CookieSignature.sign("cookie", "u", "tobi", "old secret");
    int dot = good.lastIndexOf('.');
    List<String> bad =
        List.of(
            good.substring(0, good.length() - 1),
            good.substring(0, dot + 1),
            good.substring(0, dot),
            "loki" + good.substring(dot),
            good + "=",
            good + "A",
            "",
            ".",
            old);
    for (String value : bad) {
      App fresh = new App().use(CookieParser.of(SECRET));
      fresh.use((Handler) (req, res) -> res.send("" + req.signedCookies() + req.cookies()));
      Call call = Call.get("/").header("Cookie", "u=s:" + value.replace("=", "%3D"));
      assertEquals("{u=false}{}", call.to(fresh).text(), value);
    }
    assertEquals("{u=tobi}", told("u=s:" + good.replace("=", "%3D"), Request::signedCookies));
  }

  @ParameterizedTest(name = "CK-04: {0}")
  @ValueSource(strings = {"j:{", "j:[", "j:", "j:nul", "j:{\"a\":}", "j:'a'"})
  void brokenJsonStaysText(String value) {
    assertEquals("{a=" + value + "}", told("a=" + value, Request::cookies));
  }

  @Test
  @DisplayName("CK-04: bombs of depth and of digits are no harm")
  void jsonBombsAreNoHarm() {
    String deep = "j:" + "[".repeat(7000);
    assertEquals("{a=" + deep + "}", told("a=" + deep, Request::cookies));
    String digits = "j:" + "9".repeat(7000);
    App other = new App().use(CookieParser.of().json(true));
    other.use((Handler) (req, res) -> res.send("" + req.cookies().size()));
    Call call = Call.get("/").header("Cookie", "a=" + digits + ";b=j:1e999999999");
    assertEquals("2", assertTimeout(Duration.ofSeconds(2), () -> call.to(other)).text());
  }

  @Test
  @DisplayName("CK-04: what clients send as JSON without a signature stays text")
  void jsonOfClientsIsText() {
    App plain = new App().use(CookieParser.of(SECRET));
    plain.use((Handler) (req, res) -> res.send("" + req.cookies().get("a").getClass()));
    Call call = Call.get("/").header("Cookie", "a=j:{\"admin\":true}");
    assertEquals("class java.lang.String", call.to(plain).text());
  }

  @Test
  @DisplayName("CK-05: the attributes of one cookie are not those of another")
  void attributesBelongToOneCookie() {
    CookieOptions strict = CookieOptions.none().sameSite("strict").secure(true).httpOnly(true);
    Reply reply = answer((req, res) -> res.cookie("a", "1", strict).cookie("b", "2").end());
    assertEquals(
        List.of("a=1; Path=/; HttpOnly; Secure; SameSite=Strict", "b=2; Path=/"),
        reply.all("Set-Cookie"));
  }

  @Test
  @DisplayName("CK-07: clearCookie expires whatever life its options give")
  void clearedCookiesExpire() {
    CookieOptions options = CookieOptions.none().maxAge(60_000).path("/x");
    Reply reply = answer((req, res) -> res.clearCookie("a", options).end());
    assertEquals("a=; Path=/x; Expires=Thu, 01 Jan 1970 00:00:00 GMT", reply.header("Set-Cookie"));
  }
}
