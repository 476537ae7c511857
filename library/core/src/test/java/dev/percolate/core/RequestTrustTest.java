package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.Trust;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTrustTest {

  private static final String[] HEADERS = {
    "X-Forwarded-For", "203.0.113.1, 10.0.0.2", "X-Forwarded-Proto", "https, http"
  };

  private final FakeExchange exchange = FakeExchange.of("GET", "/", HEADERS);

  @Test
  void noProxyIsTrustedByDefault() {
    Request req = exchange.request();
    assertEquals("192.0.2.1", req.ip());
    assertEquals(List.of(), req.ips());
    assertEquals("http", req.protocol());
    assertFalse(req.secure());
  }

  @Test
  void headersFromATrustedPeerAreUsed() {
    Request req = exchange.setting("trust proxy", "192.0.2.0/24").request();
    assertEquals("10.0.0.2", req.ip());
    assertEquals(List.of("10.0.0.2"), req.ips());
    assertEquals("https", req.protocol());
    assertTrue(req.secure());
  }

  @Test
  void theSettingDefinesWhichProxiesAreTrusted() {
    Request req = exchange.setting("trust proxy", List.of("192.0.2.1", "uniquelocal")).request();
    assertEquals("203.0.113.1", req.ip());
    assertEquals(List.of("203.0.113.1", "10.0.0.2"), req.ips());
    exchange.setting("trust proxy", 1);
    assertEquals("10.0.0.2", req.ip());
    exchange.setting("trust proxy", true);
    assertEquals("203.0.113.1", req.ip());
    exchange.setting("trust proxy", null);
    assertEquals("192.0.2.1", req.ip());
  }

  @Test
  void aTrustedPeerMayAlsoReportThatTheClientUsedNoEncryption() {
    exchange.secure = true;
    Request req = exchange.request();
    assertEquals("https", req.protocol());
    assertTrue(req.secure());
    exchange.sent.set("X-Forwarded-Proto", "http");
    exchange.setting("trust proxy", 1);
    assertEquals("http", req.protocol());
    assertFalse(req.secure());
  }

  @Test
  void httpsInAnyLetterCaseIsSecure() {
    for (String reported : List.of("HTTPS", "https", "wss", "HttpS, http")) {
      exchange.sent.set("X-Forwarded-Proto", reported);
      Request req = exchange.setting("trust proxy", 1).request();
      assertEquals("https", req.protocol());
      assertTrue(req.secure());
    }
    exchange.sent.set("X-Forwarded-Proto", "httpss");
    assertFalse(exchange.request().secure());
  }

  @Test
  void aTrustFunctionIsCalledForEachRead() {
    List<String> asked = new ArrayList<>();
    Trust trust = (address, hop) -> asked.add(address + "|" + hop) && hop == 0;
    Request req = exchange.setting("trust proxy", trust).request();
    assertEquals("10.0.0.2", req.ip());
    assertEquals(List.of("192.0.2.1|0", "10.0.0.2|1"), asked);
    assertEquals(List.of("10.0.0.2"), req.ips());
    assertEquals("https", req.protocol());
    assertEquals(5, asked.size());
  }

  @Test
  void theSettingsOfTheCurrentApplicationApply() {
    Settings outer = new Settings().set("trust proxy", 1);
    Settings inner = new Settings();
    inner.parent(outer);
    Request req = exchange.request();
    RequestControl.context(req, new AppState(inner));
    assertEquals("10.0.0.2", req.ip());
    outer.set("trust proxy", true);
    assertEquals("203.0.113.1", req.ip());
    inner.set("trust proxy", false);
    assertEquals("192.0.2.1", req.ip());
    RequestControl.context(req, new AppState(outer));
    assertEquals("203.0.113.1", req.ip());
  }

  @Test
  void anUnknownPeerIsInNoSubnet() {
    exchange.peer = "";
    exchange.setting("trust proxy", "loopback, 192.0.2.1");
    assertEquals("", exchange.request().ip());
  }

  @ParameterizedTest
  @ValueSource(strings = {"unknown", ":1", "[::1", "<script>", "10.0.0.1:x", "\u00ff", "%00"})
  void reportedValuesNeedNotBeAddresses(String entry) {
    exchange.sent.set("X-Forwarded-For", "10.0.0.5, " + entry + ", 10.0.0.2");
    exchange.setting("trust proxy", "192.0.2.1, 10.0.0.0/8");
    assertEquals(entry, exchange.request().ip());
    assertEquals(List.of(entry, "10.0.0.2"), exchange.request().ips());
  }

  @Test
  void veryManyAddressesTakeLinearTime() {
    exchange.sent.set("X-Forwarded-For", "10.0.0.1,".repeat(100_000));
    exchange.setting("trust proxy", "192.0.2.1, 10.0.0.0/8");
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          assertEquals(100_000, exchange.request().ips().size());
          assertEquals("10.0.0.1", exchange.request().ip());
        });
  }
}
