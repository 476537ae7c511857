package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Utf8CheckTest {

  /** The bounds of each row in the table of well-formed sequences, and the bytes next to them. */
  private static final int[] BYTES = {
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF
  };

  @Test
  void agreesWithTheDecoderOfTheJdk() {
    int wellFormed = 0;
    for (int a : BYTES) {
      for (int b : BYTES) {
        for (int c : BYTES) {
          for (int d : BYTES) {
            byte[] text = {(byte) a, (byte) b, (byte) c, (byte) d};
            boolean expected = isWellFormed(text);
            assertEquals(expected, isText(text), () -> HexFormat.of().formatHex(text));
            wellFormed += expected ? 1 : 0;
          }
        }
      }
    }
    assertTrue(wellFormed > 500, "only " + wellFormed);
  }

  private static boolean isWellFormed(byte[] text) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** Checks a text as a whole and byte by byte. */
  private static boolean isText(byte[] text) {
    Utf8Check whole = new Utf8Check();
    boolean fits = whole.accepts(ByteBuffer.wrap(text)) && whole.isComplete();
    Utf8Check pieces = new Utf8Check();
    boolean accepted = true;
    for (int i = 0; i < text.length && accepted; i++) {
      accepted = pieces.accepts(ByteBuffer.wrap(text, i, 1));
    }
    assertEquals(fits, accepted && pieces.isComplete());
    return fits;
  }

  /** Invalid bytes are rejected at their position, not at the end of the text. */
  @ParameterizedTest
  @CsvSource({
    "80,1",
    "c0,1",
    "c1,1",
    "f5,1",
    "ff,1",
    "c341,2",
    "e09f,2",
    "eda0,2",
    "f08f,2",
    "f490,2",
    "e28241,3",
    "f09f9841,4",
    "61c3a9ff,4"
  })
  void anInvalidByteIsDetectedWhenItArrives(String hex, int length) {
    byte[] text = HexFormat.of().parseHex(hex);
    Utf8Check check = new Utf8Check();
    assertTrue(check.accepts(ByteBuffer.wrap(text, 0, length - 1)));
    assertFalse(check.accepts(ByteBuffer.wrap(text, length - 1, 1)));
  }

  /** ASCII is checked eight bytes at a time. */
  @Test
  void invalidBytesAreDetectedAtAnyPosition() {
    for (int length = 1; length <= 20; length++) {
      for (int at = 0; at < length; at++) {
        byte[] text = "x".repeat(length).getBytes(StandardCharsets.US_ASCII);
        assertTrue(new Utf8Check().accepts(ByteBuffer.wrap(text)));
        text[at] = (byte) 0xFF;
        assertFalse(new Utf8Check().accepts(ByteBuffer.wrap(text)), at + " of " + length);
        assertTrue(new Utf8Check().accepts(ByteBuffer.wrap(text, 0, at)));
        assertTrue(new Utf8Check().accepts(ByteBuffer.wrap(text, at + 1, length - at - 1)));
      }
    }
  }

  @Test
  void charactersContinueInTheNextChunk() {
    Utf8Check check = new Utf8Check();
    ByteBuffer begun = ByteBuffer.wrap(HexFormat.of().parseHex("f09f"));
    assertTrue(check.accepts(begun));
    assertEquals(2, begun.remaining());
    assertFalse(check.isComplete());
    assertTrue(check.accepts(ByteBuffer.wrap(HexFormat.of().parseHex("9880"))));
    assertTrue(check.isComplete());
    assertTrue(check.accepts(ByteBuffer.wrap("xxxxxxxx\u00e9".getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void incompleteCharactersDoNotContinueWithAscii() {
    Utf8Check check = new Utf8Check();
    assertTrue(check.accepts(ByteBuffer.wrap(HexFormat.of().parseHex("c3"))));
    assertFalse(check.accepts(ByteBuffer.wrap("xxxxxxxx".getBytes(StandardCharsets.US_ASCII))));
  }

  @Test
  void resetBeginsANewText() {
    Utf8Check check = new Utf8Check();
    assertTrue(check.accepts(ByteBuffer.wrap(HexFormat.of().parseHex("e282"))));
    check.reset();
    assertTrue(check.isComplete());
    assertTrue(check.accepts(ByteBuffer.wrap(new byte[] {'x'})));
  }
}
