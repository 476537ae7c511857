package dev.percolate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Request;
import dev.percolate.framework.App;
import dev.percolate.http.BasicCredentials;
import dev.percolate.http.Trust;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of a request whose client sends false information; see docs/security/rows.tsv. */
final class RequestRowsTest {

  private final App app = new App().set("env", "production");

  private String told(Call call, Function<Request, Object> what) {
    Handler handler = (req, res) -> res.send(String.valueOf(what.apply(req)));
    app.get("/", handler);
    return call.to(app).text();
  }

  private static Call from(String... headers) {
    Call call = Call.get("/");
    for (int i = 0; i < headers.length; i += 2) {
      call = call.header(headers[i], headers[i + 1]);
    }
    return call;
  }

  @ParameterizedTest(name = "REQ-06: {0}")
  @ValueSource(strings = {"%zz", "%", "%c0%ae", "%ff", "a%2", "%ed%a0%80", "%f4%90%80%80"})
  void aParameterThatCannotBeDecodedIs400(String text) {
    app.get("/users/:id", (req, res) -> res.send("entered"));
    assertEquals(400, Call.get("/users/" + text).to(app).status());
  }

  @Test
  @DisplayName("REQ-06: a NUL in a parameter is what the path says, as recorded; a file has none")
  void anEncodedNulIsAnOrdinaryCharacterOfAParameter() {
    Handler length = (req, res) -> res.send("" + String.valueOf(req.params().get("id")).length());
    app.get("/users/:id", length);
    assertEquals(400, Call.get("/users/a%00b").to(app).status());
    app.set("ambiguous targets", "pass");
    assertEquals("3", Call.get("/users/a%00b").to(app).text());
    assertEquals(404, Call.get("/%zz").to(app).status()); // a path without parameters stays raw
  }

  @Test
  @DisplayName("REQ-07: without trust X-Forwarded-For has no effect")
  void nobodyIsBelievedByDefault() {
    Call call = from("X-Forwarded-For", "1.2.3.4", "X-Forwarded-Proto", "https");
    assertEquals(told(from(), Request::ip), told(call, Request::ip));
    assertEquals("http", call.to(new App().get("/", RequestRowsTest::protocol)).text());
  }

  @Test
  @DisplayName("REQ-08: the walk goes from right to left and ends with the first untrusted")
  void theWalkEndsWithTheFirstUntrusted() {
    app.set("trust proxy", 1);
    assertEquals("real", told(from("X-Forwarded-For", "spoof, real"), Request::ip));
  }

  @ParameterizedTest(name = "REQ-08: {0} is text, and the end of the walk")
  @ValueSource(strings = {"unknown", ":1", "[::1", "10.0.0.1:x", "_hidden", "\"10.0.0\""})
  void junkIsNotTrusted(String junk) {
    app.set("trust proxy", (Trust) (address, hop) -> hop == 0 || address.startsWith("10.0.0.7"));
    assertEquals(junk, told(from("X-Forwarded-For", "6.6.6.6, " + junk), Request::ip));
  }

  @Test
  @DisplayName("REQ-08: two thousand addresses take linear time")
  void manyAddressesAreQuick() {
    app.set("trust proxy", true);
    Call call = from("X-Forwarded-For", "1.1.1.1,".repeat(2000) + "2.2.2.2");
    assertTimeout(
        Duration.ofSeconds(5), () -> assertEquals("2001", told(call, req -> req.ips().size())));
  }

  @Test
  @DisplayName("REQ-09: X-Forwarded-Proto and -Host of a peer that is not trusted are ignored")
  void protocolAndHostNeedATrustedPeer() {
    app.set("trust proxy", "192.0.2.77");
    Call call = from("Host", "a", "X-Forwarded-Proto", "https", "X-Forwarded-Host", "evil");
    assertEquals("http a", told(call, req -> req.protocol() + " " + req.host()));
  }

  @Test
  @DisplayName("REQ-10: a number of hops trusts whoever is directly connected, as documented")
  void aNumberOfHopsTrustsThePeer() {
    app.set("trust proxy", 1);
    Call call = from("Host", "a", "X-Forwarded-Proto", "https", "X-Forwarded-Host", "b");
    assertEquals("https b", told(call, req -> req.protocol() + " " + req.host()));
  }

  @ParameterizedTest(name = "REQ-11: {0} is told as {1}, and secure as recorded only if https")
  @CsvSource({"'https, http', https", "'http, https', http", "javascript, javascript", "'', http"})
  void theFirstProtocolCounts(String reported, String protocol) {
    app.set("trust proxy", true);
    Call call = from("X-Forwarded-Proto", reported);
    boolean secure = protocol.equals("https");
    assertEquals(protocol + " " + secure, told(call, req -> req.protocol() + " " + req.secure()));
  }

  @ParameterizedTest(name = "REQ-12: {0} is refused")
  @ValueSource(
      strings = {"010.0.0.1", "10.1", "0x7f.0.0.1", "2130706433", "fe80::1%eth0", "10.0.0.1/33"})
  void shortOctalAndZonedAddressesAreRejected(String address) {
    assertThrows(IllegalArgumentException.class, () -> app.set("trust proxy", address));
  }

  @Test
  @DisplayName("REQ-12: an IPv4-mapped address is the IPv4 address")
  void aMappedAddressIsTheSame() {
    Trust trust = Trust.of("10.0.0.0/8");
    assertTrue(trust.trusts("::ffff:10.0.0.1", 0));
    assertFalse(trust.trusts("::ffff:11.0.0.1", 0));
    assertFalse(trust.trusts("010.0.0.1", 0));
    assertFalse(trust.trusts("10.1", 0));
  }

  @ParameterizedTest(name = "REQ-14: 8 kB of {0}")
  @ValueSource(strings = {",", ";q=", " ", "a;", "*/*,", "a/b;q=0.5,", "\"", "W/\"a\",", "\\"})
  void longListsTakeLinearTime(String piece) {
    String junk = piece.repeat(8192 / piece.length());
    Call call =
        from("Accept", junk, "Accept-Language", junk, "If-None-Match", junk, "Cookie", junk);
    app.get(
        "/junk",
        (req, res) -> {
          res.set("ETag", "\"x\"");
          for (int i = 0; i < 100; i++) {
            String type = req.accepts("html", "json");
            boolean language = req.acceptsLanguage("en");
            assertFalse(req.fresh() && type == null && language);
          }
          res.send("done");
        });
    Call junky = Call.get("/junk").header("Accept", junk).header("Accept-Language", junk);
    Reply reply = assertTimeout(Duration.ofSeconds(15), () -> junky.to(app));
    assertEquals("done", reply.text());
    assertTimeout(Duration.ofSeconds(15), () -> told(call, Request::fresh));
  }

  @Test
  @DisplayName("REQ-15: credentials that are none are none, and nothing is thrown")
  void junkIsNoCredentials() {
    List<String> junk =
        List.of(
            "Basic " + "A".repeat(8192),
            "Basic " + "=".repeat(8192),
            "Basic",
            "Basic ",
            "Basic Zm9v", // foo, without a colon
            "Basic \u00e4\u00f6",
            "Bearer dTpw",
            basic("u\0:p"));
    for (String header : junk) {
      assertEquals("null", told(from("Authorization", header), Request::auth), header);
    }
    BasicCredentials good = BasicCredentials.parse(basic("u:p:q"));
    assertEquals("BasicCredentials", good == null ? "" : good.getClass().getSimpleName());
  }

  private static String basic(String text) {
    return "Basic "
        + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void protocol(Request req, dev.percolate.core.Response res) {
    res.send(req.protocol());
  }
}
