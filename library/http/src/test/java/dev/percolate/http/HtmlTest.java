package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class HtmlTest {

  @Test
  void fiveCharactersAreReplaced() {
    assertEquals("a&amp;&quot;&#39;&lt;b&gt;", Html.escape("a&\"'<b>"));
    assertEquals("&amp;amp;", Html.escape("&amp;"));
    assertEquals("x&gt;yy", Html.escape("x>yy"));
  }

  @Test
  void otherTextIsTheSameObject() {
    String text = "plain / `=\u00e9\n";
    assertSame(text, Html.escape(text));
    assertEquals("", Html.escape(""));
  }

  @Test
  void jsonIsEscapedWithJsonEscapes() {
    assertEquals("\"\\u003c/script\\u003e\\u0026\"", Html.escapeJson("\"</script>&\""));
    assertEquals("{\"a\":1}", Html.escapeJson("{\"a\":1}"));
  }
}
