package dev.percolate.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the headers by which WebSockets begin (RFC 6455 section 4.2), and makes the answer's. */
public final class WebSocketHandshake {

  /** The only version of the protocol. */
  public static final String VERSION = "13";

  private static final String PROTOCOL = "websocket";
  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int KEY_LENGTH = 24;

  private WebSocketHandshake() {}

  /**
   * Tells whether the header {@code Upgrade} names the protocol.
   *
   * @param headers those of the request
   */
  public static boolean isAsked(Headers headers) {
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
   * Tells whether a value of {@code Sec-WebSocket-Key} is one: sixteen bytes in base64.
   *
   * @param key the value
   */
  public static boolean isKey(String key) {
    if (key.length() != KEY_LENGTH || !key.endsWith("==")) {
      return false;
    }
    for (int i = 0; i < KEY_LENGTH - 2; i++) {
      char c = key.charAt(i);
      boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
      if (!letter && (c < '0' || c > '9') && c != '+' && c != '/') {
        return false;
      }
    }
    // Of the last character two bits count, but clients in use fill the rest as it comes.
    return true;
  }

  /**
   * Returns the value of {@code Sec-WebSocket-Accept}.
   *
   * @param key that of {@code Sec-WebSocket-Key}
   */
  public static String accept(String key) {
    try {
      byte[] text = (key + GUID).getBytes(StandardCharsets.ISO_8859_1);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime must have SHA-1", e);
    }
  }

  /**
   * Reads the subprotocols that a client offers, in its order.
   *
   * @param lines the lines of {@code Sec-WebSocket-Protocol}
   * @return the names; null if one is no token, or stands twice
   */
  public static @Nullable List<String> protocols(List<String> lines) {
    List<String> names = new ArrayList<>();
    for (String line : lines) {
      for (String name : line.split(",", -1)) {
        String bare = name.strip();
        if (!isToken(bare)) {
          return null;
        }
        names.add(bare);
      }
    }
    return new HashSet<>(names).size() == names.size() ? names : null;
  }

  /**
   * Tells whether a text is a token (RFC 9110 section 5.6.2), as names of subprotocols are.
   *
   * @param text the text
   */
  public static boolean isToken(String text) {
    return !text.isEmpty() && text.chars().allMatch(WebSocketHandshake::isTokenChar);
  }

  /**
   * Tells whether a value of {@code Origin} names the host that a request was sent to.
   *
   * @param origin the value
   * @param authority the host that the client has asked for, perhaps with a port; null for none
   */
  public static boolean isOwnOrigin(String origin, @Nullable String authority) {
    int colon = origin.indexOf("://");
    String scheme = colon < 0 ? "" : origin.substring(0, colon).toLowerCase(Locale.ROOT);
    boolean known = scheme.equals("http") || scheme.equals("https");
    if (!known || authority == null || authority.isEmpty()) {
      return false;
    }
    String host = origin.substring(colon + 3);
    boolean plain =
        !host.isEmpty() && host.chars().noneMatch(c -> c <= ' ' || "/\\@?#".indexOf(c) >= 0);
    // What stands in front may have taken TLS off: the origin's scheme counts for both.
    return plain && withPort(host, scheme).equals(withPort(authority, scheme));
  }

  static boolean isTokenChar(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }

  private static String withPort(String authority, String scheme) {
    String lower = authority.toLowerCase(Locale.ROOT);
    int colon = lower.indexOf(':', lower.lastIndexOf(']') + 1);
    if (colon >= 0 && colon < lower.length() - 1) {
      return lower;
    }
    String name = colon < 0 ? lower : lower.substring(0, colon);
    return name + (scheme.equals("https") ? ":443" : ":80");
  }
}
