package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CookieSignatureTest {

  private static final String SIGNED = "tobi.k/MBGA3LV/De+0YTROxcLuurjbOQXyaa2veNodQBZc4";

  @Test
  void signaturesAreHmacInBase64WithoutPadding() {
    assertEquals(SIGNED, CookieSignature.sign("tobi", "keyboard cat"));
  }

  @Test
  void rightSignaturesGiveTheValue() {
    assertEquals("tobi", CookieSignature.unsign(SIGNED, "keyboard cat"));
    String dotted = CookieSignature.sign("a.b\u00e9.", "\u00e9");
    assertEquals("a.b\u00e9.", CookieSignature.unsign(dotted, "\u00e9"));
    assertEquals("", CookieSignature.unsign(CookieSignature.sign("", "k"), "k"));
  }

  @Test
  void wrongSignaturesGiveNothing() {
    assertNull(CookieSignature.unsign(SIGNED, "other"));
    assertNull(CookieSignature.unsign("x" + SIGNED, "keyboard cat"));
    assertNull(CookieSignature.unsign(SIGNED.substring(0, SIGNED.length() - 1), "keyboard cat"));
    assertNull(CookieSignature.unsign(SIGNED + "=", "keyboard cat"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "tobi", "tobi.", "."})
  void unsignedTextGivesNothing(String text) {
    assertNull(CookieSignature.unsign(text, "keyboard cat"));
  }

  @Test
  void emptySecretsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> CookieSignature.sign("a", ""));
    assertThrows(IllegalArgumentException.class, () -> CookieSignature.unsign("a.b", ""));
  }
}
