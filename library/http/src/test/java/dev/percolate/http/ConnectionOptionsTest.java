package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionOptionsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "close",
        "CLOSE",
        "keep-alive, close",
        "close, keep-alive",
        "x,Close",
        ",close",
        "close,",
        "x ,\t close\t,y"
      })
  void closeIsFoundAnywhereInTheList(String value) {
    assertTrue(ConnectionOptions.close(Headers.of("X", "1", "connection", value)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "keep-alive",
        "closed",
        "close x",
        "xclose",
        "clo,se",
        "\"close\"",
        "cl ose"
      })
  void otherOptionsAreNotClose(String value) {
    assertFalse(ConnectionOptions.close(Headers.of("Connection", value)));
  }

  @Test
  void allLinesAreRead() {
    Headers headers = Headers.of("Connection", "keep-alive", "A", "close", "CONNECTION", "close");
    assertTrue(ConnectionOptions.close(headers));
    assertFalse(ConnectionOptions.close(Headers.of("A", "close", "Connection", "upgrade")));
    assertFalse(ConnectionOptions.close(new Headers()));
  }

  @Test
  void anUpgradeNeedsTheOptionAndAProtocol() {
    assertTrue(
        ConnectionOptions.upgrade(
            Headers.of("Connection", "keep-alive, Upgrade", "Upgrade", "websocket")));
    assertFalse(ConnectionOptions.upgrade(Headers.of("Connection", "Upgrade")));
    assertFalse(ConnectionOptions.upgrade(Headers.of("Connection", "Upgrade", "Upgrade", " ")));
    assertFalse(ConnectionOptions.upgrade(Headers.of("Upgrade", "websocket")));
    assertFalse(
        ConnectionOptions.upgrade(Headers.of("Connection", "upgraded", "Upgrade", "websocket")));
  }

  @Test
  void keepAliveIsOneOptionAmongOthers() {
    assertTrue(ConnectionOptions.keepAlive(Headers.of("Connection", "TE, Keep-Alive")));
    assertFalse(ConnectionOptions.keepAlive(Headers.of("Connection", "close")));
    assertFalse(ConnectionOptions.keepAlive(Headers.of("Keep-Alive", "timeout=5")));
  }

  @Test
  void hostileHeadersAreReadInOnePass() {
    String commas = ",".repeat(100_000);
    assertTrue(ConnectionOptions.close(Headers.of("Connection", commas + "close")));
    assertEquals(
        false, ConnectionOptions.close(Headers.of("Connection", " ".repeat(100_000) + commas)));
  }
}
