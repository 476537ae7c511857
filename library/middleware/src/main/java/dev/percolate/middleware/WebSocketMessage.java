package dev.percolate.middleware;

import java.nio.charset.StandardCharsets;

/** A text or binary message received from a {@link WebSocket}. */
public final class WebSocketMessage {

  private final boolean text;
  private final byte[] content;

  WebSocketMessage(boolean text, byte[] content) {
    this.text = text;
    this.content = content;
  }

  /** Returns true for a text message, which is valid UTF-8, and false for a binary message. */
  public boolean isText() {
    return text;
  }

  /** Returns the text. Binary messages are decoded as UTF-8. */
  public String text() {
    return new String(content, StandardCharsets.UTF_8);
  }

  /** Returns the bytes, UTF-8 for a text message. The caller may change them. */
  public byte[] bytes() {
    return content;
  }

  /** Returns the type and length of the message. */
  @Override
  public String toString() {
    return (text ? "text" : "binary") + " of " + content.length + " bytes";
  }
}
