package dev.percolate.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the request headers of a WebSocket handshake, and creates those of the response (RFC 6455
 * section 4.2).
 */
public final class WebSocketHandshake {

  /** The only supported version of the protocol. */
  public static final String VERSION = "13";

  private static final String PROTOCOL = "websocket";
  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int KEY_LENGTH = 24;

  private WebSocketHandshake() {}

  /**
   * Returns true if the {@code Upgrade} header contains {@code websocket}.
   *
   * @param headers the headers of the request
   */
  public static boolean isRequested(Headers headers) {
    for (String line : headers.all("Upgrade")) {
      for (String name : line.split(",", -1)) {
        if (name.strip().equalsIgnoreCase(PROTOCOL)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns true if a {@code Sec-WebSocket-Key} is valid: sixteen bytes in Base64.
   *
   * @param key the value of the header
   */
  public static boolean isKey(String key) {
    if (key.length() != KEY_LENGTH || !key.endsWith("==")) {
      return false;
    }
    for (int i = 0; i < KEY_LENGTH - 2; i++) {
      char c = key.charAt(i);
      if (!Ascii.isAlphanumeric(c) && c != '+' && c != '/') {
        return false;
      }
    }
    // Only two bits of the last character count; some clients set the others too.
    return true;
  }

  /**
   * Returns the value of {@code Sec-WebSocket-Accept}.
   *
   * @param key the value of {@code Sec-WebSocket-Key}
   */
  public static String accept(String key) {
    byte[] text = (key + GUID).getBytes(StandardCharsets.ISO_8859_1);
    return Base64.getEncoder().encodeToString(Hash.of("SHA-1").digest(text));
  }

  /**
   * Parses the subprotocols that a client offers, in order of its preference.
   *
   * @param lines the values of {@code Sec-WebSocket-Protocol}
   * @return the names; null if one is not a token or is repeated
   */
  public static @Nullable List<String> protocols(List<String> lines) {
    List<String> names = new ArrayList<>();
    for (String line : lines) {
      for (String name : line.split(",", -1)) {
        String bare = name.strip();
        if (bare.isEmpty()) {
          continue; // an empty element (RFC 9110 section 5.6.1.2)
        }
        if (!isToken(bare)) {
          return null;
        }
        names.add(bare);
      }
    }
    return new HashSet<>(names).size() == names.size() ? names : null;
  }

  /**
   * Returns true if a string is a token (RFC 9110 section 5.6.2), as subprotocol names must be.
   *
   * @param text the text
   */
  public static boolean isToken(String text) {
    return HeaderText.isToken(text);
  }
}
