package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.core.Handler;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CorsTest {

  private static final Handler OK = (req, res) -> res.send("ok");
  private static final String SHOP = "https://shop.example";
  private static final Call PREFLIGHT =
      Call.options("/").header("Access-Control-Request-Method", "PUT");

  @Test
  void allOriginsAreAllowedWithoutCookies() {
    Reply reply = Played.reply(Call.get("/").header("Origin", SHOP), Cors.any(), OK);
    assertEquals("*", reply.header("Access-Control-Allow-Origin"));
    assertNull(reply.header("Access-Control-Allow-Credentials"));
    assertNull(reply.header("Vary"));
    assertThrows(IllegalStateException.class, () -> Cors.any().credentials(true));
  }

  @Test
  void namedOriginsAreEchoedWithVary() {
    Cors cors = Cors.of(SHOP, "http://a").credentials(true).exposed("X-Total", "Link");
    Reply reply = Played.reply(Call.get("/").header("Origin", SHOP), cors, OK);
    assertEquals(SHOP, reply.header("Access-Control-Allow-Origin"));
    assertEquals("true", reply.header("Access-Control-Allow-Credentials"));
    assertEquals("X-Total,Link", reply.header("Access-Control-Expose-Headers"));
    assertEquals("Origin", reply.header("Vary"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://shop.example.evil", "http://shop.example", "null", "", "*"})
  void otherOriginsGetAResponseWithoutCorsHeaders(String origin) {
    Cors cors = Cors.of(SHOP).credentials(true);
    Reply reply = Played.reply(Call.get("/").header("Origin", origin), cors, OK);
    assertEquals("ok", reply.text());
    assertNull(reply.header("Access-Control-Allow-Origin"));
    assertNull(reply.header("Access-Control-Allow-Credentials"));
    assertEquals("Origin", reply.header("Vary"));
  }

  @Test
  void aPreflightIsAnswered() {
    Call call =
        PREFLIGHT
            .header("Origin", SHOP)
            .header("Access-Control-Request-Headers", "x-a, x-b")
            .header("Access-Control-Request-Private-Network", "true");
    Cors cors = Cors.of(SHOP).maxAge(Duration.ofMinutes(10)).privateNetwork(true);
    Reply reply = Played.reply(call, cors, OK);
    assertEquals(204, reply.status());
    assertEquals("GET,HEAD,PUT,PATCH,POST,DELETE", reply.header("Access-Control-Allow-Methods"));
    assertEquals("x-a, x-b", reply.header("Access-Control-Allow-Headers"));
    assertEquals("600", reply.header("Access-Control-Max-Age"));
    assertEquals("true", reply.header("Access-Control-Allow-Private-Network"));
    assertEquals("Origin, Access-Control-Request-Headers", reply.header("Vary"));
    Reply named = Played.reply(call, Cors.of(SHOP).headers("X-A").methods("GET"), OK);
    assertEquals("X-A", named.header("Access-Control-Allow-Headers"));
    assertEquals("GET", named.header("Access-Control-Allow-Methods"));
    assertNull(named.header("Access-Control-Allow-Private-Network"));
  }

  @Test
  void aPreflightOfAnotherOriginAllowsNothing() {
    Reply reply = Played.reply(PREFLIGHT.header("Origin", "http://x"), Cors.of(SHOP), OK);
    assertEquals(204, reply.status());
    assertNull(reply.header("Access-Control-Allow-Origin"));
    assertNull(reply.header("Access-Control-Allow-Methods"));
  }

  @Test
  void otherOptionsRequestsArePassedOn() {
    assertEquals("200 ok", Played.outcome(Call.options("/"), Cors.any(), OK));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "shop.example",
        "https://shop.example/",
        "https://",
        "://x",
        "https://*.shop.example",
        "http://localhost:*"
      })
  void invalidOriginsAreRejected(String origin) {
    assertThrows(IllegalArgumentException.class, () -> Cors.of(origin));
  }

  @Test
  void wildcardsAreNotAllowedWithCookies() {
    Cors cors = Cors.of(SHOP).credentials(true);
    assertThrows(IllegalStateException.class, () -> cors.headers("*"));
    assertThrows(IllegalStateException.class, () -> cors.methods("*"));
    assertThrows(IllegalStateException.class, () -> cors.exposed("X-A", "*"));
    assertThrows(IllegalStateException.class, () -> Cors.of(SHOP).headers("*").credentials(true));
    Reply reply = Played.reply(PREFLIGHT.header("Origin", SHOP), Cors.any().headers("*"), OK);
    assertEquals("*", reply.header("Access-Control-Allow-Headers"));
  }

  @ParameterizedTest
  @CsvSource({
    "https://Shop.example,https://shop.example",
    "https://shop.example:443,https://shop.example",
    "https://shop.example:443,https://shop.example:443",
    "http://shop.example:80,http://shop.example",
    "https://m\u00fcnchen.example,https://xn--mnchen-3ya.example",
    "capacitor://localhost,capacitor://localhost"
  })
  void originsAreComparedInTheFormOfBrowsers(String allowed, String sent) {
    Reply reply = Played.reply(Call.get("/").header("Origin", sent), Cors.of(allowed), OK);
    assertEquals(sent, reply.header("Access-Control-Allow-Origin"));
  }
}
