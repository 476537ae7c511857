package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Any text becomes a URI reference according to RFC 3986 section 4.1. */
class UriReferenceTest {
  private static final String PCHAR = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";
  private static final String REST = "(?:" + PCHAR + "|[/?])*";
  private static final Pattern REFERENCE =
      Pattern.compile("(?:/" + PCHAR + "*)+(?:\\?" + REST + ")?(?:#" + REST + ")?");
  private static final String ODD =
      " \t\n\0\u007f\"<>\\^`{|}[]%#?/:@&=;+'.a1-\u00e9\u00df\u65e5\ud83d\ude00\uff0f\u3002";

  @ParameterizedTest
  @CsvSource({
    "/u/caf\u00e9,/u/caf%C3%A9",
    "/u/\u65e5\u672c,/u/%E6%97%A5%E6%9C%AC",
    "/\ud83d\ude00,/%F0%9F%98%80",
    "/a?\u00e9=\u20ac#\u00fc,/a?%C3%A9=%E2%82%AC#%C3%BC",
    "/\u0080\u009f\u00a0\u00ff,/%C2%80%C2%9F%C2%A0%C3%BF",
    "/\u00c3\u00a9,/%C3%83%C2%A9",
    "/e\u0301,/e%CC%81",
    "/\ud83d,/%EF%BF%BD"
  })
  void charactersOutsideAsciiAreTheEscapesOfTheirUtf8Bytes(String text, String expected) {
    assertEquals(expected, UriReference.encode(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ',',
      quoteCharacter = '~',
      value = {
        "/a b,/a%20b",
        "/<\">,/%3C%22%3E",
        "/\\^`{|},/%5C%5E%60%7B%7C%7D",
        "/a[1]?b[c]=d#[e],/a%5B1%5D?b%5Bc%5D=d#%5Be%5D",
        "/a#b#c,/a#b%23c",
        "/a\tb\u007f,/a%09b%7F"
      })
  void charactersOutsideTheGrammarAreEncoded(String text, String expected) {
    assertEquals(expected, UriReference.encode(text));
  }

  @ParameterizedTest
  @CsvSource({
    "/a%20b%c3%A9,/a%20b%c3%A9",
    "/100%,/100%25",
    "/%zz%4,/%25zz%254",
    "/%%41,/%25%41",
    "/%E9,/%E9"
  })
  void escapesAreKeptAndOtherPercentSignsAreEncoded(String text, String expected) {
    assertEquals(expected, UriReference.encode(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "//other.test/x",
        "http://user:word@a.test:8080/p;q=1,2/!$&'()*+,;=:@-._~?/?a=b&c#/?d",
        "http://[2001:db8::1]:80/",
        "ftp://f.test",
        "mailto:x@y.test",
        "./a?to=http://x",
        "?x=1",
        "#top"
      })
  void referencesDoNotChange(String text) {
    assertEquals(text, UriReference.encode(text));
  }

  @ParameterizedTest
  @CsvSource({
    "http://m\u00fcnchen.test/\u00e9,http://xn--mnchen-3ya.test/%C3%A9",
    "//M\u00dcNCHEN.test,//xn--mnchen-3ya.test",
    "https://j\u00f6rg:\u00fc@b\u00fccher.test:8443?\u00e9,"
        + "https://j%C3%B6rg:%C3%BC@xn--bcher-kva.test:8443?%C3%A9",
    "http://\u65e5\u672c.test#\u00e9,http://xn--wgv71a.test#%C3%A9",
    "http://\ud83d\ude00.test/,http://xn--e28h.test/"
  })
  void aHostOutsideAsciiIsWrittenAsItsALabels(String text, String expected) {
    assertEquals(expected, UriReference.encode(text));
    assertEquals(expected, URI.create(expected).toString());
  }

  /** RFC 5894 section 7.2: IDNA 2003 would send clients to another host. */
  @ParameterizedTest
  @CsvSource({
    "http://fa\u00df.test/,http://fa%C3%9F.test/",
    "http://a\u200db.test/,http://a%E2%80%8Db.test/",
    "http://\u03b2\u03cc\u03bb\u03bf\u03c2.test/," + "http://%CE%B2%CF%8C%CE%BB%CE%BF%CF%82.test/"
  })
  void aHostThatClientsDisagreeAboutIsPercentEncoded(String text, String expected) {
    assertEquals(expected, UriReference.encode(text));
  }

  @ParameterizedTest
  @CsvSource({
    "http://a.test\uff0f.evil.test/,http://a.test%EF%BC%8F.evil.test/",
    "http://a.test\uff20evil.test/,http://a.test%EF%BC%A0evil.test/",
    "http://a.test\uff1a80@evil.test/,http://a.test%EF%BC%9A80@evil.test/",
    "http://\u2100.test/,http://%E2%84%80.test/",
    "http://a.test\\@evil.test,http://a.test/@evil.test",
    "//a.test\\@evil.test,//a.test/@evil.test",
    "http://a@b@c.test/,http://a%40b@c.test/",
    "/\\evil.test,/%5Cevil.test",
    "'\t//evil.test',%09//evil.test"
  })
  void noCharacterMovesTheEndOfTheHost(String text, String expected) {
    assertEquals(expected, UriReference.encode(text));
  }

  @Test
  void encodedPathsDoNotChangeWhenEncodedAgain() {
    Random random = new Random(7);
    for (int i = 0; i < 50_000; i++) {
      String text = "/a" + text(random);
      String encoded = UriReference.encode(text);
      assertTrue(REFERENCE.matcher(encoded).matches(), () -> text + " -> " + encoded);
      assertEquals(encoded, UriReference.encode(encoded));
      assertEquals(encoded, URI.create(encoded).toString());
    }
  }

  @Test
  void encodedTextIsVisibleAsciiAndDoesNotChangeWhenEncodedAgain() {
    Random random = new Random(8);
    for (int i = 0; i < 50_000; i++) {
      String encoded = UriReference.encode((i % 2 == 0 ? "//" : "http://") + text(random));
      assertTrue(encoded.chars().allMatch(c -> c > ' ' && c < 0x7F), encoded);
      assertEquals(encoded, UriReference.encode(encoded));
    }
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(12);
    for (int i = 0; i < length; i++) {
      boolean any = random.nextInt(8) == 0;
      text.append(any ? (char) random.nextInt(0x10000) : ODD.charAt(random.nextInt(ODD.length())));
    }
    return text.toString();
  }

  @Test
  void receivedUtf8IsDecoded() {
    String bytes =
        new String(
            "/caf\u00e9/\u65e5".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    assertEquals("/caf\u00e9/\u65e5", UriReference.received(bytes));
    assertEquals("/caf\u00e9", UriReference.received("/caf\u00e9"));
    assertEquals("/caf\u00e9\u20ac", UriReference.received("/caf\u00e9\u20ac"));
    assertEquals("/a b%20", UriReference.received("/a b%20"));
  }
}
