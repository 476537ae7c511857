package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CookiesTest {

  private static final CookieOptions NONE = CookieOptions.none();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a=1; b=2|{a=1, b=2}",
        "a=1;b=2;   c = 3 |{a=1, b=2, c=3}",
        "a; b=2|{b=2}",
        "a=1; a=2|{a=1}",
        "=x|{=x}",
        "a=b=c|{a=b=c}",
        "a=\"x y\"|{a=x y}",
        "a=\"xyz|{a=xy}",
        "a=\"|{a=}",
        "a=\"b;c\"|{a=}",
        "a=%20%C3%A9|{a= \u00e9}",
        "a=%zz%20|{a=%zz%20}",
        "%61=1|{%61=1}",
        "a=+|{a=+}",
        "a=|{a=}",
        "A=1; a=2|{A=1, a=2}",
        ";;|{}",
        "__proto__=1|{__proto__=1}"
      })
  void cookiesAreParsed(String header, String expected) {
    assertEquals(expected, Cookies.parse(header).toString());
  }

  @Test
  void anAbsentHeaderHasNoCookies() {
    assertEquals("{}", Cookies.parse(null).toString());
    assertEquals("{}", Cookies.parse("").toString());
  }

  /** RFC 6265bis section 5.6: browsers remove only these, before they check {@code __Host-}. */
  @Test
  void onlySpacesAndTabsAreRemoved() {
    String header = "\u00a0__Host-a=0; \t__Host-a\t=\t1 ; \u0085__Host-a=2; b=\u00a03\u00a0";
    assertEquals(List.of("1"), Cookies.all(header, "__Host-a"));
    assertEquals(List.of("\u00a03\u00a0"), Cookies.all(header, "b"));
  }

  @Test
  void valuesAreDecodedByTheGivenFunction() {
    assertEquals("{a=<%20>}", Cookies.parse("a=\"%20\"", value -> "<" + value + ">").toString());
  }

  @Test
  void theDefaultPathIsTheRoot() {
    assertEquals("a=b; Path=/", Cookies.serialise("a", "b", NONE, 0));
    assertEquals("a=b; Path=/", Cookies.serialise("a", "b", NONE.path("/x").path(null), 0));
    assertEquals("a=b", Cookies.serialise("a", "b", NONE.path(""), 0));
  }

  @Test
  void attributesHaveAFixedOrder() {
    CookieOptions all =
        NONE.secure(true).httpOnly(true).path("/p").domain("example.com").maxAge(60_000);
    assertEquals(
        "a=b; Max-Age=60; Domain=example.com; Path=/p; Expires=Thu, 01 Jan 1970 00:01:01 GMT;"
            + " HttpOnly; Secure",
        Cookies.serialise("a", "b", all, 1000));
  }

  @Test
  void valuesAreEncoded() {
    assertEquals("a=%20%3B%C3%A9!'()*; Path=/", Cookies.serialise("a", " ;\u00e9!'()*", NONE, 0));
    assertEquals(
        "a=<x y>; Path=/", Cookies.serialise("a", "x y", NONE.encode(v -> "<" + v + ">"), 0));
  }

  @ParameterizedTest
  @CsvSource({"1500,1.5", "0,0", "-1000,-1", "1,0.001", "1000000000000,1000000000", "0.5,0.0005"})
  void maxAgeIsWrittenInSeconds(double millis, String seconds) {
    String line = Cookies.serialise("a", "b", NONE.maxAge(millis), 0);
    assertEquals("a=b; Max-Age=" + seconds + ";", line.substring(0, 14 + seconds.length()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a=", "a;", "a\n", "\u00e9"})
  void namesMustBeTokens(String name) {
    assertThrows(IllegalArgumentException.class, () -> Cookies.serialise(name, "b", NONE, 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a;b", "a\r\nb", "a\0", "\u007f"})
  void charactersThatWouldEndAValueAreRejected(String text) {
    CookieOptions plain = NONE.encode(value -> value);
    assertThrows(IllegalArgumentException.class, () -> Cookies.serialise("a", text, plain, 0));
    assertThrows(
        IllegalArgumentException.class, () -> Cookies.serialise("a", "b", NONE.path(text), 0));
    assertThrows(
        IllegalArgumentException.class, () -> Cookies.serialise("a", "b", NONE.domain(text), 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u00e9", "\u0100", "a\u0080"})
  void anUnencodedValueMustBeAscii(String text) {
    CookieOptions plain = NONE.encode(value -> value);
    assertThrows(IllegalArgumentException.class, () -> Cookies.serialise("a", text, plain, 0));
  }

  /** RFC 6265 sections 5.1.2 and 5.1.4: browsers compare A-labels and encoded paths. */
  @Test
  void domainAndPathAreAscii() {
    assertEquals(
        "a=b; Domain=xn--mnchen-3ya.test; Path=/caf%C3%A9/%20",
        Cookies.serialise("a", "b", NONE.domain("m\u00fcnchen.test").path("/caf\u00e9/%20"), 0));
    assertEquals(
        "a=b; Path=/my%20app/%7Bx%7D", Cookies.serialise("a", "b", NONE.path("/my app/{x}"), 0));
    assertEquals(
        "a=b; Domain=.xn--bcher-kva.test; Path=/",
        Cookies.serialise("a", "b", NONE.domain(".b\u00fccher.test"), 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> Cookies.serialise("a", "b", NONE.domain("fa\u00df.test"), 0));
  }

  @Test
  void hostileHeadersAreReadInOnePass() {
    assertEquals(0, Cookies.parse(";".repeat(100_000)).size());
    assertEquals(1, Cookies.parse("a=\";".repeat(25_000)).size());
    assertEquals(1, Cookies.parse("=".repeat(100_000)).size());
  }

  /** RFC 6265 section 5.1.4. */
  @ParameterizedTest
  @CsvSource({
    "/,/,true",
    "/,/a,true",
    "/a,/a,true",
    "/a,/a/,true",
    "/a,/a/b,true",
    "/a/,/a/b,true",
    "/a,/ab,false",
    "/a/,/a,false",
    "/a,/,false",
    "/a,/A,false",
    "/caf\u00e9,/caf%C3%A9/x,true",
    "/caf%C3%A9,/caf%C3%A9,true",
    "/a b,/a%20b/x,true",
    "/a[b],/a[b],true",
    "/caf\u00e9,/cafe,false"
  })
  void aCookieIsSentBelowItsPath(String path, String requested, boolean sent) {
    assertEquals(sent, Cookies.pathMatches(path, requested));
  }

  /** RFC 6265 section 4.2.2. */
  @Test
  void allValuesOfANameAreInHeaderOrder() {
    String header = "a=1; b=2; a=\"%33\" ;a ; A=4;a=;a=x=y";
    assertEquals(List.of("1", "3", "", "x=y"), Cookies.all(header, "a"));
    assertEquals(List.of(), Cookies.all(header, "c"));
    assertEquals(List.of(), Cookies.all(null, "a"));
    assertEquals(200, Cookies.all("a=1;".repeat(5000), "a").size());
    Map<String, List<String>> all = Cookies.parseAll(header, value -> value);
    assertEquals(
        Map.of("a", List.of("1", "%33", "", "x=y"), "b", List.of("2"), "A", List.of("4")), all);
    assertEquals(200, Cookies.parseAll("a=1;".repeat(5000), v -> v).get("a").size());
    assertEquals(Map.of(), Cookies.parseAll(null, value -> value));
  }
}
