package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SignatureFormTest {

  @ParameterizedTest
  @CsvSource({
    "bound, bound, v",
    "express, express, v",
    "both, both, v",
    "bound, express,",
    "express, bound,",
    "bound, both, v",
    "express, both, v",
    "both, bound, v",
    "both, express,"
  })
  void eachFormVerifiesItsSignatures(String maker, String reader, String text) {
    String value = SignatureForm.of(maker).sign("cookie", "a", "v", "k");
    assertTrue(SignatureForm.isSigned(value));
    assertEquals(text, SignatureForm.of(reader).unsign("cookie", "a", value, "k"));
  }

  @Test
  void expressSignaturesAreValidForAnyName() {
    String value = SignatureForm.EXPRESS.sign("cookie", "a", "tobi", "keyboard cat");
    assertEquals("s:tobi.k/MBGA3LV/De+0YTROxcLuurjbOQXyaa2veNodQBZc4", value);
    assertEquals("tobi", SignatureForm.EXPRESS.unsign("session", "b", value, "keyboard cat"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "v", "s:", "s:v", "s:v.", "S:v.x", "j:5"})
  void otherValuesAreNotSigned(String value) {
    for (SignatureForm form : SignatureForm.values()) {
      assertNull(form.unsign("cookie", "a", value, "k"));
    }
  }

  @Test
  void onlyThePrefixMarksASignedValue() {
    assertTrue(SignatureForm.isSigned("s:"));
    assertFalse(SignatureForm.isSigned("S:v.x"));
  }

  @Test
  void otherSettingsAreRejected() {
    assertEquals(SignatureForm.BOUND, SignatureForm.of(null));
    String message =
        assertThrows(IllegalArgumentException.class, () -> SignatureForm.of("Bound")).getMessage();
    assertEquals("set(\"cookie signature\", Bound): must be bound, express or both", message);
    assertThrows(IllegalArgumentException.class, () -> SignatureForm.of(true));
  }
}
