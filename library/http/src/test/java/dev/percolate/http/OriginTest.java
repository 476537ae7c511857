package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 6454 section 7. */
class OriginTest {

  @ParameterizedTest
  @CsvSource({
    "http://example.com,example.com",
    "https://example.com,example.com",
    "HTTPS://Example.COM,example.com",
    "http://example.com,EXAMPLE.com:80",
    "https://example.com,example.com:443",
    "https://example.com:443,example.com",
    "https://example.com,example.com:",
    "http://example.com:8080,example.com:8080",
    "http://[::1],[::1]:80",
    "http://[::1]:3000,[::1]:3000"
  })
  void theOriginOfTheHostIsOwn(String origin, String authority) {
    assertTrue(Origin.isOf(origin, authority));
  }

  @ParameterizedTest
  @CsvSource({
    "http://example.org,example.com",
    "http://example.com:8080,example.com",
    "http://example.com,example.com:8080",
    "https://example.com,example.com:80",
    "http://sub.example.com,example.com",
    "http://example.com.evil.org,example.com",
    "ws://example.com,example.com",
    "ftp://example.com,example.com",
    "null,example.com",
    "example.com,example.com",
    "://example.com,example.com",
    "http://,example.com",
    "http://example.com/,example.com/",
    "http://user@example.com,user@example.com",
    "http://example.com?a,example.com?a",
    "http://example.com#a,example.com#a",
    "http://a b,a b",
    "http://a\\b,a\\b",
    "http://[::1],[::2]",
    "http://[::1]:80,[::1]:81"
  })
  void otherOriginsAreNotOwn(String origin, String authority) {
    assertFalse(Origin.isOf(origin, authority));
  }

  @Test
  void withoutAHostNoOriginIsOwn() {
    assertFalse(Origin.isOf("http://example.com", null));
    assertFalse(Origin.isOf("http://example.com", ""));
    assertFalse(Origin.isOf("http://", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://example.com",
        "http://a:8080",
        "https://[::1]",
        "HTTPS://A",
        "capacitor://localhost",
        "tauri://localhost",
        "chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb"
      })
  void originsAreValid(String origin) {
    assertTrue(Origin.isValid(origin));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "*",
        "example.com",
        "https://",
        "://a",
        "1a://b",
        "a b://c",
        "https://a/",
        "//a",
        "https://*.a",
        "https://a:*",
        "https://a:65536",
        "https://a@b",
        "https://%61",
        "https://m\u00fcnchen.example"
      })
  void otherTextsAreInvalid(String text) {
    assertFalse(Origin.isValid(text));
  }

  @ParameterizedTest
  @CsvSource({
    "https://Example.com,https://example.com",
    "HTTPS://example.com:443,https://example.com",
    "http://example.com:80,http://example.com",
    "http://[::1]:80,http://[::1]",
    "http://[::80],http://[::80]",
    "http://a:8080,http://a:8080",
    "https://a:80,https://a:80",
    "https://a:1443,https://a:1443",
    "capacitor://localhost:80,capacitor://localhost:80",
    "NULL,null"
  })
  @DisplayName("RFC 6454 section 6.2: origins are in lower case and have no default port")
  void originsHaveOneForm(String origin, String normal) {
    assertEquals(normal, Origin.normal(origin));
  }
}
