package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
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
  void validSignaturesReturnTheValue() {
    assertEquals("tobi", CookieSignature.unsign(SIGNED, "keyboard cat"));
    String dotted = CookieSignature.sign("a.b\u00e9.", "\u00e9");
    assertEquals("a.b\u00e9.", CookieSignature.unsign(dotted, "\u00e9"));
    assertEquals("", CookieSignature.unsign(CookieSignature.sign("", "k"), "k"));
  }

  @Test
  void wrongSignaturesReturnNull() {
    assertNull(CookieSignature.unsign(SIGNED, "other"));
    assertNull(CookieSignature.unsign("x" + SIGNED, "keyboard cat"));
    assertNull(CookieSignature.unsign(SIGNED.substring(0, SIGNED.length() - 1), "keyboard cat"));
    assertNull(CookieSignature.unsign(SIGNED + "=", "keyboard cat"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "tobi", "tobi.", "."})
  void unsignedTextReturnsNull(String text) {
    assertNull(CookieSignature.unsign(text, "keyboard cat"));
  }

  @Test
  void emptySecretsAreRejected() {
    assertThrows(IllegalArgumentException.class, () -> CookieSignature.sign("a", ""));
    assertThrows(IllegalArgumentException.class, () -> CookieSignature.unsign("a.b", ""));
  }

  @Test
  void boundSignaturesAreValidForOnePurposeAndNameOnly() {
    String signed = CookieSignature.sign("cookie", "a", "v", "k");
    assertEquals("v", CookieSignature.unsign("cookie", "a", signed, "k"));
    assertNull(CookieSignature.unsign("cookie", "b", signed, "k"));
    assertNull(CookieSignature.unsign("session", "a", signed, "k"));
    assertNull(CookieSignature.unsign("cookie", "a", signed, "other"));
    assertNull(CookieSignature.unsign("cookie", "a", "w" + signed.substring(1), "k"));
    assertNull(CookieSignature.unsign("cookie", "a", "v", "k"));
    assertNull(CookieSignature.unsign(signed, "k"));
  }

  @Test
  void differentListsOfTextsHaveDifferentSignatures() {
    String[] texts = {"", "a", "aa", "\u00ff", "a\u00ff", "\u00ffa", "\0", "a\0a", "\ud83d\ude00"};
    Set<String> signatures = new HashSet<>();
    int made = 0;
    for (String purpose : texts) {
      for (String name : texts) {
        for (String value : texts) {
          String signed = CookieSignature.sign(purpose, name, value, "k");
          assertTrue(signatures.add(signed.substring(signed.lastIndexOf('.'))), signed);
          assertNull(CookieSignature.unsign(signed, "k"), signed);
          made++;
        }
      }
    }
    assertEquals(9 * 9 * 9, made);
  }
}
