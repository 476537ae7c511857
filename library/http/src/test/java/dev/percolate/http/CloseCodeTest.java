package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 6455 section 7.4, and section 5.5.1 for the payload. */
class CloseCodeTest {

  @ParameterizedTest
  @ValueSource(ints = {1000, 1001, 1003, 1007, 1008, 1013, 1014, 3000, 3001, 4000, 4999})
  void registeredAndPrivateCodesMayBeSent(int code) {
    assertTrue(CloseCode.isSendable(code));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535})
  void otherCodesMustNotBeSent(int code) {
    assertFalse(CloseCode.isSendable(code));
    byte[] payload = {(byte) (code >> 8), (byte) code};
    WebSocketException rejected =
        assertThrows(WebSocketException.class, () -> CloseCode.code(payload));
    assertEquals(CloseCode.PROTOCOL_ERROR, rejected.code());
  }

  @Test
  void thePayloadIsTheCodeAndTheReason() throws WebSocketException {
    byte[] payload = CloseCode.payload(4002, "bye \u00e9");
    assertEquals("0fa262796520c3a9", HexFormat.of().formatHex(payload));
    assertEquals(4002, CloseCode.code(payload));
    assertEquals("bye \u00e9", CloseCode.reason(payload));
  }

  @Test
  void thePayloadIsEmptyWithoutACode() throws WebSocketException {
    byte[] payload = CloseCode.payload(CloseCode.NONE, "not sent");
    assertEquals(0, payload.length);
    assertEquals(CloseCode.NONE, CloseCode.code(payload));
    assertEquals("", CloseCode.reason(payload));
    assertEquals("", CloseCode.reason(new byte[] {3, (byte) 0xE8}));
    assertEquals("x", CloseCode.reason(new byte[] {3, (byte) 0xE8, 'x'}));
  }

  @Test
  void rejectsACodeThatMustNotBeSent() {
    IllegalArgumentException rejected =
        assertThrows(IllegalArgumentException.class, () -> CloseCode.payload(1006, ""));
    assertEquals(
        "close code must be 1000 to 1003, 1007 to 1014 or 3000 to 4999, was 1006",
        rejected.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "x,122,122",
    "x,123,123",
    "x,124,123",
    "\u00e9,61,122",
    "\u00e9,62,122",
    "\u20ac,41,123"
  })
  void aLongReasonIsCutAfterACharacter(String character, int times, int length)
      throws WebSocketException {
    String reason = character.repeat(times);
    byte[] payload = CloseCode.payload(CloseCode.NORMAL, reason);
    assertEquals(2 + length, payload.length);
    assertEquals(
        reason.substring(0, CloseCode.reason(payload).length()), CloseCode.reason(payload));
  }

  @Test
  void aCharacterOfFourBytesIsNotSplit() throws WebSocketException {
    byte[] payload = CloseCode.payload(CloseCode.NORMAL, "\ud83d\ude00".repeat(31));
    assertEquals("\ud83d\ude00".repeat(30), CloseCode.reason(payload));
  }

  @Test
  void aSingleByteIsNotACode() {
    WebSocketException rejected =
        assertThrows(WebSocketException.class, () -> CloseCode.code(new byte[] {3}));
    assertEquals(CloseCode.PROTOCOL_ERROR, rejected.code());
    assertEquals("invalid close code", rejected.reason());
  }

  @ParameterizedTest
  @ValueSource(strings = {"c3", "80", "61e282", "eda080"})
  void aReasonIsUtf8(String hex) {
    byte[] payload = HexFormat.of().parseHex("03e8" + hex);
    WebSocketException rejected =
        assertThrows(WebSocketException.class, () -> CloseCode.reason(payload));
    assertEquals(CloseCode.INVALID_DATA, rejected.code());
    assertEquals("close reason must be UTF-8", rejected.reason());
    assertArrayEquals(new StackTraceElement[0], rejected.getStackTrace());
  }
}
