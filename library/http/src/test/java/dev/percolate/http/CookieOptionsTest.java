package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CookieOptionsTest {

  private static String line(CookieOptions options) {
    return Cookies.serialise("a", "", options, 0);
  }

  @Test
  void expiresIsWrittenAsADate() {
    CookieOptions options = CookieOptions.none().expires(Instant.ofEpochSecond(1));
    assertEquals("a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:01 GMT", line(options));
    assertEquals("a=; Path=/", line(options.expires(null)));
  }

  @Test
  void maxAgeOverridesExpires() {
    CookieOptions options = CookieOptions.none().maxAge(2000).expires(Instant.ofEpochSecond(9));
    assertEquals("a=; Max-Age=2; Path=/; Expires=Thu, 01 Jan 1970 00:00:02 GMT", line(options));
  }

  @Test
  void eachOptionReturnsAChangedCopy() {
    CookieOptions options = CookieOptions.none();
    assertEquals("a=; Path=/; HttpOnly", line(options.httpOnly(true)));
    assertEquals("a=; Path=/; Secure", line(options.secure(true)));
    assertEquals("a=; Domain=d; Path=/", line(options.domain("d")));
    assertEquals("a=; Path=/", line(options));
  }

  @Test
  @DisplayName("RFC 6265 section 5.2.4: browsers ignore a path without a slash")
  void aPathStartsWithASlash() {
    CookieOptions options = CookieOptions.none();
    Exception error = assertThrows(IllegalArgumentException.class, () -> options.path("admin"));
    assertEquals("path must start with \"/\", was \"admin\"", error.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:3000", "https://example.com", "[::1]"})
  @DisplayName("RFC 6265 section 5.1.3: browsers ignore a cookie whose domain has a port")
  void aDomainHasNoPort(String domain) {
    CookieOptions options = CookieOptions.none();
    Exception error = assertThrows(IllegalArgumentException.class, () -> options.domain(domain));
    assertEquals(
        "domain must be the name of a host without a port, was \"" + domain + "\"",
        error.getMessage());
  }

  @Test
  void sameSiteIsOneOfThreeWords() {
    CookieOptions options = CookieOptions.none().secure(true);
    assertEquals("a=; Path=/; Secure; SameSite=Strict", line(options.sameSite("strict")));
    assertEquals("a=; Path=/; Secure; SameSite=Lax", line(options.sameSite("LAX")));
    assertEquals("a=; Path=/; Secure; SameSite=None", line(options.sameSite("None")));
    assertEquals("a=; Path=/; Secure", line(options.sameSite("lax").sameSite(null)));
    assertEquals("a=; Path=/; Secure", line(options));
    Exception error =
        assertThrows(IllegalArgumentException.class, () -> options.sameSite("lax; Secure"));
    assertEquals("sameSite must be strict, lax or none, was \"lax; Secure\"", error.getMessage());
  }

  @Test
  void partitionedAndPriorityAreWrittenAtTheEnd() {
    CookieOptions options = CookieOptions.none().sameSite("none").secure(true);
    assertEquals(
        "a=; Path=/; Secure; SameSite=None; Partitioned; Priority=High",
        line(options.partitioned(true).priority("HIGH")));
    assertEquals("a=; Path=/; Priority=Low", line(CookieOptions.none().priority("low")));
    CookieOptions plain = CookieOptions.none().partitioned(true).priority("medium");
    assertEquals("a=; Path=/", line(plain.partitioned(false).priority(null)));
    Exception error = assertThrows(IllegalArgumentException.class, () -> options.priority("top"));
    assertEquals("priority must be low, medium or high, was \"top\"", error.getMessage());
  }

  @Test
  void clearedCookiesAlwaysExpire() {
    CookieOptions options = CookieOptions.none().maxAge(5000).path("/x").cleared();
    assertEquals("a=; Path=/x; Expires=Thu, 01 Jan 1970 00:00:00 GMT", line(options));
  }

  @Test
  void longLifetimesEndInTheYear9999() {
    String date = "; Path=/; Expires=Fri, 31 Dec 9999 23:59:59 GMT";
    String line = line(CookieOptions.none().maxAge(1e15));
    assertEquals("a=; Max-Age=1000000000000" + date, line);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void maxAgeMustBeANumber(double millis) {
    Exception error =
        assertThrows(IllegalArgumentException.class, () -> CookieOptions.none().maxAge(millis));
    assertEquals("maxAge must be a finite number, was " + millis, error.getMessage());
  }

  @Test
  void signedIsKeptByCopies() {
    CookieOptions options = CookieOptions.none().signed(true).path("/x");
    assertTrue(options.signed());
    assertFalse(options.signed(false).signed());
    assertFalse(CookieOptions.none().signed());
  }

  @Test
  void attributesCanBeRead() {
    CookieOptions options =
        CookieOptions.none().domain("d").path("/p").httpOnly(true).secure(true).maxAge(1500);
    assertEquals("d", options.domain());
    assertEquals("/p", options.path());
    assertTrue(options.httpOnly() && options.secure());
    assertEquals(1500.0, options.maxAge());
    assertEquals(Instant.ofEpochMilli(2500), options.expires(1000));
    assertEquals(Instant.EPOCH, options.cleared().expires(1000));
    assertEquals(Instant.EPOCH, options.cleared().expires());
  }
}
