package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

class RequestHostTest {

  @Test
  void theHostHasNoPort() {
    assertEquals("example.test", with("Host", "example.test:8080").host());
    assertEquals("[2001:db8::1]", with("Host", "[2001:db8::1]:443").host());
    assertEquals("EXAMPLE.test", with("Host", "EXAMPLE.test").host());
  }

  @Test
  void theHostMayBeAbsent() {
    for (Request req : List.of(with(), with("Host", ""), with("X-Forwarded-Host", "f.test"))) {
      assertNull(req.host());
      assertEquals(List.of(), req.subdomains());
    }
  }

  @Test
  void aForwardedHostIsOnlyUsedBehindATrustedProxy() {
    FakeExchange exchange =
        FakeExchange.of("GET", "/", "Host", "back.test", "X-Forwarded-Host", "a.b.front.test:81");
    assertEquals("back.test", exchange.request().host());
    exchange.setting("trust proxy", "loopback");
    assertEquals("back.test", exchange.request().host());
    exchange.setting("trust proxy", "192.0.2.1");
    assertEquals("a.b.front.test", exchange.request().host());
    assertEquals(List.of("b", "a"), exchange.request().subdomains());
    exchange.sent.set("X-Forwarded-Host", "");
    assertEquals("back.test", exchange.request().host());
  }

  @Test
  void theHostOfATargetInAbsoluteFormReplacesTheHeader() {
    FakeExchange exchange =
        FakeExchange.of(
            "GET", "http://target.test:81/x", "Host", "a", "X-Forwarded-Host", "f.test");
    assertEquals("target.test", exchange.request().host());
    exchange.setting("trust proxy", "192.0.2.1");
    assertEquals("f.test", exchange.request().host());
  }

  @Test
  void theSettingDefinesHowManyLabelsSubdomainsOmits() {
    FakeExchange exchange = FakeExchange.of("GET", "/", "Host", "a.b.c.example.com:80");
    assertEquals(List.of("c", "b", "a"), exchange.request().subdomains());
    exchange.setting("subdomain offset", 4);
    assertEquals(List.of("a"), exchange.request().subdomains());
    exchange.setting("subdomain offset", 0L);
    assertEquals(List.of("com", "example", "c", "b", "a"), exchange.request().subdomains());
    exchange.setting("subdomain offset", 9);
    assertEquals(List.of(), exchange.request().subdomains());
  }

  @Test
  void anAddressHasNoSubdomains() {
    assertEquals(List.of(), with("Host", "10.1.2.3:99").subdomains());
    assertEquals(List.of(), with("Host", "[::1]").subdomains());
  }

  private static Request with(String... headers) {
    return FakeExchange.of("GET", "/", headers).request();
  }
}
