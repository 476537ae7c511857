package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

final class KnownMethodsTest {

  @Test
  void aMethodIsFoundInAnyLetterCase() {
    assertEquals("PATCH", KnownMethods.find("paTch"));
    assertEquals("M-SEARCH", KnownMethods.find("m-search"));
    for (String method : KnownMethods.ALL) {
      assertEquals(method, KnownMethods.find(method));
    }
  }

  @Test
  void otherMethodsAreUnknown() {
    for (String name : new String[] {"", "brew", " GET", "po\u017ft", "l\u0131nk"}) {
      assertNull(KnownMethods.find(name), name);
    }
  }
}
