package dev.percolate.testkit;

import dev.percolate.http.ConnectionOptions;
import dev.percolate.http.Headers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The method, target, headers and body of a call. Immutable; setters return changed copies. */
final class Message {

  private static final List<String> BODY_HEADERS =
      List.of(
          "Content-Encoding",
          "Content-Language",
          "Content-Length",
          "Content-Location",
          "Content-Type",
          "Transfer-Encoding");

  private final String method;
  private final String target;
  private final Headers headers;
  private final byte @Nullable [] body;
  private final boolean chunked;

  Message(String method, String target) {
    this(method, target, new Headers(), null, false);
  }

  private Message(
      String method, String target, Headers headers, byte @Nullable [] body, boolean chunked) {
    this.method = method;
    this.target = target;
    this.headers = headers;
    this.body = body;
    this.chunked = chunked;
  }

  Message withHeader(String name, String value) {
    return new Message(method, target, headers.copy().addReceived(name, value), body, chunked);
  }

  /** Sets a header, and removes its other values. */
  Message withOnly(String name, String value) {
    Headers changed = headers.copy().remove(name).addReceived(name, value);
    return new Message(method, target, changed, body, chunked);
  }

  /** Changes the target. */
  Message to(String other) {
    return new Message(method, other, headers, body, chunked);
  }

  /** Changes the target and the method to GET, and removes the body and its headers. */
  Message asGet(String other) {
    Headers kept = headers.copy();
    BODY_HEADERS.forEach(kept::remove);
    return new Message("GET", other, kept, null, false);
  }

  @Nullable String header(String name) {
    return headers.get(name);
  }

  Message withBody(byte[] bytes) {
    return new Message(method, target, headers, bytes.clone(), chunked);
  }

  Message inChunks() {
    return new Message(method, target, headers, body, true);
  }

  String method() {
    return method;
  }

  String target() {
    return target;
  }

  byte @Nullable [] body() {
    return body;
  }

  /** Returns true if the response to this request has no body. */
  boolean isHead() {
    return method.equals("HEAD");
  }

  /** Returns true if this request has a body. */
  boolean announcesBody() {
    return body != null || chunked || framed();
  }

  /** Returns true if this request asks to switch protocols. */
  boolean asksForUpgrade() {
    return ConnectionOptions.upgrade(headers);
  }

  boolean sendsChunks() {
    return chunked || headers.contains("Transfer-Encoding");
  }

  /** Returns all headers to send. */
  Headers headers(String host) {
    Headers all = new Headers();
    if (!headers.contains("Host")) {
      all.addReceived("Host", host);
    }
    headers.forEach(all::addReceived);
    if (!framed() && chunked) {
      all.addReceived("Transfer-Encoding", "chunked");
    } else if (!framed() && body != null) {
      all.addReceived("Content-Length", Integer.toString(body.length));
    }
    return all;
  }

  /**
   * Returns the request line and the headers in HTTP/1.1.
   *
   * @throws IllegalArgumentException if a character does not fit in a byte
   */
  byte[] head(String host) {
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    headers(host)
        .forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    if (head.chars().anyMatch(c -> c > 0xFF)) {
      throw new IllegalArgumentException(
          this + ": target and headers must be ISO-8859-1; percent-encode other characters");
    }
    return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns the method and the target. */
  @Override
  public String toString() {
    return method + " " + target;
  }

  private boolean framed() {
    return headers.contains("Content-Length") || headers.contains("Transfer-Encoding");
  }
}
