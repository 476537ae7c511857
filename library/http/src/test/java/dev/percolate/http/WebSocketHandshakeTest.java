package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 6455 section 4. */
class WebSocketHandshakeTest {

  @ParameterizedTest
  @ValueSource(strings = {"websocket", "WebSocket", "h2c, websocket", " websocket ,h2c"})
  void upgradesToWebSocketAreDetected(String upgrade) {
    assertTrue(WebSocketHandshake.isRequested(Headers.of("Upgrade", upgrade)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "h2c", "websockets", "web socket", "websocket/13"})
  void otherUpgradesAreNotDetected(String upgrade) {
    assertFalse(WebSocketHandshake.isRequested(Headers.of("Upgrade", upgrade)));
    assertFalse(WebSocketHandshake.isRequested(Headers.of("Connection", "websocket")));
  }

  @Test
  void theProtocolMayBeInAnyLine() {
    assertTrue(
        WebSocketHandshake.isRequested(Headers.of("Upgrade", "h2c", "Upgrade", "websocket")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dGhlIHNhbXBsZSBub25jZQ==",
        "AAAAAAAAAAAAAAAAAAAAAA==",
        "zZ9/+0aAzZ9/+0aAzZ9/+A==",
        "AQIDBAUGBwgJCgsMDQ4PEC=="
      })
  void sixteenBytesInBase64AreAValidKey(String key) {
    assertTrue(WebSocketHandshake.isKey(key));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "dGhlIHNhbXBsZSBub25jZQ=",
        "dGhlIHNhbXBsZSBub25jZQ===",
        "dGhlIHNhbXBsZSBub25jZQ",
        "dGhlIHNhbXBsZSBub25jZQxx",
        "dGhlIHNhbXBsZSBub25jZ===",
        "@GhlIHNhbXBsZSBub25jZQ==",
        "[GhlIHNhbXBsZSBub25jZQ==",
        "`GhlIHNhbXBsZSBub25jZQ==",
        "{GhlIHNhbXBsZSBub25jZQ==",
        ":GhlIHNhbXBsZSBub25jZQ==",
        ".GhlIHNhbXBsZSBub25jZQ==",
        "dGhlIHNhbXBsZSBub25j-Q==",
        "dGhlIHNhbXBsZSBub25jZ\u00e9=="
      })
  void otherKeysAreInvalid(String key) {
    assertFalse(WebSocketHandshake.isKey(key));
  }

  /** The example of section 1.3. */
  @Test
  void theAcceptValueIsComputedFromTheKey() {
    assertEquals(
        "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", WebSocketHandshake.accept("dGhlIHNhbXBsZSBub25jZQ=="));
  }

  @Test
  void subprotocolsAreParsedInOrder() {
    assertEquals(
        List.of("chat", "v2.json", "soap"),
        WebSocketHandshake.protocols(List.of("chat, v2.json", " soap ")));
    assertEquals(List.of(), WebSocketHandshake.protocols(List.of()));
    assertEquals(List.of("a", "b"), WebSocketHandshake.protocols(List.of("a,,b,", "")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a\"b", "caf\u00e9", "a,b,a"})
  void invalidSubprotocolsReturnNull(String line) {
    assertNull(WebSocketHandshake.protocols(List.of(line)));
  }

  @Test
  void repeatedSubprotocolsReturnNull() {
    assertNull(WebSocketHandshake.protocols(List.of("a", "b, a")));
  }

  @Test
  void tokensHaveTokenCharactersOnly() {
    String tokens = "!#$%&'*+-.^_`|~";
    for (int c = 0; c < 0x180; c++) {
      boolean letterOrDigit = c < 0x80 && Character.isLetterOrDigit(c);
      assertEquals(
          letterOrDigit || tokens.indexOf(c) >= 0,
          WebSocketHandshake.isToken("a" + (char) c),
          "U+" + Integer.toHexString(c));
    }
    assertFalse(WebSocketHandshake.isToken(""));
  }
}
