package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReferrerTest {

  @ParameterizedTest
  @CsvSource({
    "http://a.test/x,http,a.test,true",
    "HTTP://A.Test/x,http,a.TEST,true",
    "http://a.test,http,a.test,true",
    "http://a.test?x,http,a.test,true",
    "http://a.test:80/,http,a.test,true",
    "http://a.test/,http,a.test:80,true",
    "http://a.test:/,http,a.test,true",
    "https://a.test/,https,a.test:443,true",
    "http://a.test:3000/,http,a.test:3000,true",
    "http://[::1]:8080/,http,[::1]:8080,true",
    "http://[::1]/,http,[::1]:80,true",
    "http://a.test:3001/,http,a.test:3000,false",
    "http://a.test/,http,a.test:3000,false",
    "https://a.test/,http,a.test,false",
    "http://b.test/,http,a.test,false",
    "http://a.test.evil/,http,a.test,false",
    "ftp://a.test/,http,a.test,false",
    "a.test/x,http,a.test,false",
    "'',http,a.test,false"
  })
  void hostAndPortMustEqualThoseOfTheRequest(
      String referrer, String protocol, String host, boolean same) {
    assertEquals(same, Referrer.isSameSite(referrer, protocol, host));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/here?a#b", "/a//b", "/x://y"})
  void anAbsolutePathIsOnTheSameSite(String referrer) {
    assertTrue(Referrer.isSameSite(referrer, "http", null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//evil.test",
        "/\\evil.test",
        "/\t/evil.test",
        "\\\\evil.test",
        "http://a.test@evil.test/",
        "http://a.test\\@evil.test/",
        "http://evil.test\\a.test/",
        "http:///evil.test",
        "javascript:alert(1)",
        "here"
      })
  void ambiguousReferrersAreRejected(String referrer) {
    assertFalse(Referrer.isSameSite(referrer, "http", "a.test"));
  }

  @Test
  void anEmptyOrUnknownHostMatchesNoUrl() {
    assertFalse(Referrer.isSameSite("http:///evil.test", "http", ""));
    assertFalse(Referrer.isSameSite("http://a.test/", "http", null));
  }
}
