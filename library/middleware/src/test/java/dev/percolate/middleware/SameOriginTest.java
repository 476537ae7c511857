package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests protection against cross-site request forgery without tokens. */
final class SameOriginTest {

  private static final Handler PASSED = (req, res) -> res.send("passed");
  private static final String REJECTED = "403 requests from pages of other origins are rejected";

  private static Call post() {
    return Call.post("/").header("Host", "shop.example");
  }

  private static String outcome(Call call, SameOrigin check) {
    return Played.outcome(call, check, PASSED);
  }

  @ParameterizedTest
  @CsvSource({"same-origin,true", "none,true", "same-site,false", "cross-site,false", "x,false"})
  void theSiteOfThePageDecides(String site, boolean passes) {
    Call call = post().header("Sec-Fetch-Site", site);
    assertEquals(passes ? "200 passed" : REJECTED, outcome(call, Csrf.sameOrigin()));
    // The origin is only compared if the browser does not send the site.
    Call own = call.header("Origin", "https://shop.example");
    assertEquals(passes ? "200 passed" : REJECTED, outcome(own, Csrf.sameOrigin()));
  }

  @ParameterizedTest
  @CsvSource({
    "https://shop.example,true",
    "http://shop.example,true",
    "HTTPS://SHOP.example,true",
    "https://shop.example:443,true",
    "https://shop.example:8443,false",
    "https://evil.example,false",
    "https://shop.example.evil.example,false",
    "https://shop.example/,false",
    "null,false",
    "'',false"
  })
  void withoutASiteTheOriginDecides(String origin, boolean passes) {
    Call call = post().header("Origin", origin);
    assertEquals(passes ? "200 passed" : REJECTED, outcome(call, Csrf.sameOrigin()));
  }

  @Test
  void clientsThatAreNotBrowsersPass() {
    assertEquals("200 passed", outcome(post(), Csrf.sameOrigin()));
  }

  @Test
  void anOriginWithoutTlsIsNotThatOfARequestWithTls() {
    Settings settings = new Settings();
    settings.set("trust proxy", true);
    Call call = post().header("X-Forwarded-Proto", "https");
    Call secure = call.header("Origin", "https://shop.example");
    Call plain = call.header("Origin", "http://shop.example");
    assertEquals(200, Played.reply(settings, secure, Csrf.sameOrigin(), PASSED).status());
    assertEquals(403, Played.reply(settings, plain, Csrf.sameOrigin(), PASSED).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "OPTIONS"})
  void methodsThatChangeNothingPass(String method) {
    Call call = Call.of(method, "/").header("Sec-Fetch-Site", "cross-site");
    assertEquals(200, Played.reply(call, Csrf.sameOrigin(), PASSED).status());
  }

  @Test
  void otherOriginsCanBeAllowed() {
    SameOrigin check = Csrf.sameOrigin().allow("https://Accounts.example:443", "http://a:81");
    Call call = post().header("Sec-Fetch-Site", "same-site");
    assertEquals("200 passed", outcome(call.header("Origin", "https://accounts.example"), check));
    assertEquals("200 passed", outcome(post().header("Origin", "http://a:81"), check));
    assertEquals(REJECTED, outcome(call.header("Origin", "https://other.example"), check));
    assertEquals(REJECTED, outcome(call, check));
    Call app = post().header("Sec-Fetch-Site", "cross-site").header("Origin", "tauri://localhost");
    assertEquals(REJECTED, outcome(app, check));
    assertEquals("200 passed", outcome(app, check.allow("tauri://localhost")));
  }

  @Test
  void repeatedHeadersAreRejected() {
    Call sites = post().header("Sec-Fetch-Site", "same-origin").header("Sec-Fetch-Site", "none");
    assertEquals(REJECTED, outcome(sites, Csrf.sameOrigin()));
    Call origins =
        post().header("Origin", "https://shop.example").header("Origin", "https://evil.example");
    assertEquals(REJECTED, outcome(origins, Csrf.sameOrigin()));
  }

  @Test
  void otherMethodsCanBeIgnored() {
    Call call = Call.put("/").header("Sec-Fetch-Site", "cross-site");
    assertEquals("200 passed", outcome(call, Csrf.sameOrigin().ignoreMethods("get", "put")));
    Call get = Call.get("/").header("Sec-Fetch-Site", "cross-site");
    assertEquals(REJECTED, outcome(get, Csrf.sameOrigin().ignoreMethods()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "shop.example", "https://shop.example/", "null", "https://*.a"})
  void invalidOriginsAreRejectedAtStart(String origin) {
    assertEquals(
        "allow \"" + origin + "\" must be an origin such as https://example.com",
        Played.rejection(() -> Csrf.sameOrigin().allow(origin)));
  }
}
