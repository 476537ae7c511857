package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnicodeTest {

  @ParameterizedTest
  @DisplayName("BODY-19: each malformed sequence becomes one replacement character")
  @CsvSource({
    "C0AF,2", "EDA080,3", "EDBFBF,3", "EDA0,2", "F4908080,4", "E282,1", "E2,1", "F09F98,1",
    "F08080,3", "E08080,3", "80,1", "FF,1", "EDA080EDB080,6", "F5808080,4", "ED9F,1", "C3C3,2"
  })
  void eachMaximalMalformedPartIsOneReplacement(String hex, int count) {
    assertEquals("\ufffd".repeat(count), Utf8.text(bytes(hex)));
    assertEquals("a" + "\ufffd".repeat(count) + "z", Utf8.text(bytes("61" + hex + "7A")));
  }

  @Test
  void wellFormedUtf8IsDecoded() {
    String text = "a\u00e9\ud7ff\ue000\uffff\ud83d\ude00\u0000";
    assertEquals(text, Utf8.text(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  @DisplayName("BODY-20: one byte order mark is removed")
  void oneMarkIsRemoved() {
    assertEquals(
        "\ufeffx\ufeff", Utf8.text("\ufeff\ufeffx\ufeff".getBytes(StandardCharsets.UTF_8)));
    assertEquals("x", Unicode.utf16(bytes("FFFE7800"), false));
    assertEquals("x", Unicode.utf16(bytes("FEFF0078"), true));
    assertEquals("x", Unicode.utf32(bytes("FFFE000078000000"), false));
    assertEquals("x", Unicode.utf32(bytes("0000FEFF00000078"), true));
    assertEquals("", Utf8.text(bytes("EFBBBF")));
  }

  @Test
  @DisplayName("BODY-20: UTF-16 keeps lone surrogates and ignores an odd byte")
  void utf16KeepsLoneSurrogatesAndDropsAnOddByte() {
    assertEquals("\ud800x", Unicode.utf16(bytes("00D8780061"), false));
    assertEquals("\udc00", Unicode.utf16(bytes("DC00"), true));
    assertEquals("", Unicode.utf16(bytes("61")));
  }

  @ParameterizedTest
  @DisplayName("BODY-20: UTF-16 detects the byte order")
  @CsvSource({
    "FFFE7800,x",
    "FEFF0078,x",
    "FFFE00410042,\u4100\u4200",
    "FEFF41004200,\u4100\u4200",
    "7800,x",
    "0078,x",
    "004100420043,ABC",
    "41004200,AB",
    "4E2D4E2D0041,\u4e2d\u4e2dA"
  })
  void utf16DetectsTheByteOrder(String hex, String text) {
    assertEquals(text, Unicode.utf16(bytes(hex)));
  }

  @Test
  void utf16IsLittleEndianByDefault() {
    assertEquals("\u2d4e", Unicode.utf16(bytes("4E2D")));
    assertEquals("A\u4100", Unicode.utf16(bytes("41000041")));
  }

  @Test
  void onlyTheFirstHundredUnitsAreExamined() {
    String hex = "2D4E".repeat(100) + "0041";
    assertEquals("\u4e2d".repeat(100) + "\u4100", Unicode.utf16(bytes(hex)));
    assertEquals("\u2d4e".repeat(99) + "A", Unicode.utf16(bytes("2D4E".repeat(99) + "0041")));
  }

  @Test
  void utf32ReplacesInvalidCodePoints() {
    assertEquals("\ufffdx\ufffd", Unicode.utf32(bytes("00110000" + "00000078" + "0000"), true));
    assertEquals(
        "\ufffd\ud800\ud83d\ude00",
        Unicode.utf32(bytes("000000FF" + "00D80000" + "00F60100"), false));
  }

  @ParameterizedTest
  @CsvSource({
    "FFFE000078000000,x",
    "0000FEFF00000078,x",
    "78000000,x",
    "00000078,x",
    "00010000,\u0100",
    "00000100,\u0100"
  })
  void utf32DetectsTheByteOrder(String hex, String text) {
    assertEquals(text, Unicode.utf32(bytes(hex)));
  }

  @Test
  void agreesWithTheJdkOnWellFormedText() {
    String text = "Gr\u00fc\u00dfe \u4e2d \ud83d\ude00";
    assertEquals(text, Unicode.utf32(text.getBytes(Charset.forName("UTF-32BE"))));
    assertEquals(text, Unicode.utf32(text.getBytes(Charset.forName("UTF-32LE"))));
    assertEquals(text, Unicode.utf16(text.getBytes(StandardCharsets.UTF_16BE)));
    assertEquals(text, Unicode.utf16(text.getBytes(StandardCharsets.UTF_16LE)));
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }
}
