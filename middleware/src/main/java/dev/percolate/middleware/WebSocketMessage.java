package dev.percolate.middleware;

import java.nio.charset.StandardCharsets;

/** One message that has come over a {@link WebSocket}, text or bytes. */
public final class WebSocketMessage {

  private final boolean text;
  private final byte[] content;

  WebSocketMessage(boolean text, byte[] content) {
    this.text = text;
    this.content = content;
  }

  /** Tells whether it was sent as text, which is well-formed then; else as bytes. */
  public boolean isText() {
    return text;
  }

  /** Returns the text; bytes that were not sent as text are read as UTF-8. */
  public String text() {
    return new String(content, StandardCharsets.UTF_8);
  }

  /** Returns the bytes; those of a text are in UTF-8. They are the caller's. */
  public byte[] bytes() {
    return content;
  }

  /** Returns what kind of message it is, and how long. */
  @Override
  public String toString() {
    return (text ? "text" : "binary") + " of " + content.length + " bytes";
  }
}
