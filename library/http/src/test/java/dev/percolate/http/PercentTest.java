package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentTest {

  @ParameterizedTest
  @CsvSource({
    "a%20b,'a b'",
    "%C3%A9,\u00e9",
    "%e2%9c%93,\u2713",
    "%F0%9F%98%80,\ud83d\ude00",
    "%2525,%25",
    "a+b,a+b",
    "\u00e9%41,\u00e9A",
    "%F4%8F%BF%BF,\udbff\udfff",
    "%ED%9F%BF,\ud7ff"
  })
  void wellFormedEscapesAreDecodedOnce(String text, String expected) {
    assertEquals(expected, Percent.decode(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%",
        "%2",
        "a%",
        "%zz",
        "%2x",
        "% 1",
        "%+1",
        "%C3",
        "%C3%",
        "%C3a",
        "%C3%28",
        "%80",
        "%FF",
        "%C0%80",
        "%C1%BF",
        "%E0%80%80",
        "%E0%9F%BF",
        "%ED%A0%80",
        "%ED%BF%BF",
        "%F0%80%80%80",
        "%F4%90%80%80",
        "%F5%80%80%80",
        "%E2%9C",
        "%E2%9Cx93",
        "ok%20%",
        "%\uff11\uff11"
      })
  void malformedEscapesAndInvalidUtf8ReturnNull(String text) {
    assertNull(Percent.decode(text));
  }

  @Test
  void textWithoutEscapesIsTheSameObject() {
    String text = "a+b \u00e9";
    assertSame(text, Percent.decode(text));
  }

  @Test
  void queriesAreDecodedWholeOrNotAtAll() {
    assertEquals("a b+", Percent.decodeQuery("a+b%2B"));
    assertEquals("a+b%20%zz", Percent.decodeQuery("a+b%20%zz"));
  }

  @Test
  void formsDecodePlusSignsEvenIfEscapesAreMalformed() {
    assertEquals("a b+", Percent.decodeForm("a+b%2B"));
    assertEquals("%zz b%20c", Percent.decodeForm("%zz+b%20c"));
    assertEquals("%ff b", Percent.decodeForm("%ff+b"));
  }

  @Test
  void latin1FormsDecodeEachEscapeSeparately() {
    assertEquals("\u00e9 %zz%u00e9\u00ff%", Percent.decodeFormLatin1("%e9+%zz%u00e9%FF%"));
    assertEquals("\u00c3\u00a9%2", Percent.decodeFormLatin1("%C3%A9%2"));
    assertEquals("a b", Percent.decodeFormLatin1("a+b"));
  }

  @Test
  void componentsKeepUnreservedCharactersOnly() {
    assertEquals("aZ09-_.!~*'()", Percent.encodeComponent("aZ09-_.!~*'()"));
    assertEquals(
        "%20%25%22%3B%2C%2F%3F%3A%40%26%3D%2B%24%23%5B%7C%00%7F",
        Percent.encodeComponent(" %\";,/?:@&=+$#[|\0\177"));
    assertEquals(
        "%C3%A9%E2%9C%93%F0%9F%98%80", Percent.encodeComponent("\u00e9\u2713\ud83d\ude00"));
  }

  @Test
  void loneSurrogatesBecomeReplacementCharacters() {
    assertEquals("%EF%BF%BDa", Percent.encodeComponent("\ud83da"));
    assertEquals("%EF%BF%BD", Percent.encodeComponent("\ude00"));
  }

  @Test
  void hostileTextIsReadInOnePass() {
    String percents = "%".repeat(100_000);
    assertNull(Percent.decode(percents));
    assertEquals(percents, Percent.decodeFormLatin1(percents));
    assertNull(Percent.decode("%E2%9C%93".repeat(11_000) + "%"));
  }

  @Test
  void headersKeepAsciiAndEncodeOtherCharacters() {
    assertEquals(
        "a b%20%C3%A9%E2%82%AC%EF%BF%BD", Percent.encodeForHeader("a b%20\u00e9\u20ac\uD83D"));
  }

  @Test
  void codePointAtDecodesTheEscapesAtAnIndex() {
    assertEquals('é', Percent.codePointAt("a%C3%A9b", 1));
    assertEquals(0x1F600, Percent.codePointAt("%f0%9f%98%80", 0));
    assertEquals('A', Percent.codePointAt("%41", 0));
    assertEquals(-1, Percent.codePointAt("%E9", 0));
    assertEquals(-1, Percent.codePointAt("%C3x", 0));
    assertEquals(-1, Percent.codePointAt("%zz", 0));
  }

  @Test
  void byteAtNeedsTwoHexadecimalDigits() {
    assertEquals(0xE9, Percent.byteAt("a%e9", 1));
    assertEquals(-1, Percent.byteAt("a%e9", 0));
    assertEquals(-1, Percent.byteAt("%4", 0));
    assertEquals(-1, Percent.byteAt("%4g", 0));
  }
}
