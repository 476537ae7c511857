package dev.percolate.http2;

import dev.percolate.http.HeaderText;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpDate;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.hc.core5.http2.hpack.HPackEncoder;
import org.apache.hc.core5.util.ByteArrayBuffer;

/**
 * Encodes the response headers of one connection with HPACK (RFC 7541). Values that are secret or
 * differ in each response are not added to the table.
 */
final class ResponseHead {

  /** The maximum size of the encoding table, in bytes, even if the client allows more. */
  private static final int TABLE = 4096;

  private final HPackEncoder encoder = new HPackEncoder(TABLE, StandardCharsets.US_ASCII);
  private final ByteArrayBuffer block = new ByteArrayBuffer(256);
  private int allowed = TABLE;

  /** The smallest size that was allowed since the last head. It must be signaled. */
  private int least = TABLE;

  /** Sets the table size that the client allows, in bytes. */
  void table(int size) {
    allowed = Math.min(TABLE, size);
    least = Math.min(least, allowed);
  }

  /**
   * Encodes a response head and replaces the previous one.
   *
   * @param status the status code
   * @param length the length of the body, used if {@code headers} has none; negative if unknown
   * @param dated whether to add a {@code Date} header
   * @throws IllegalArgumentException if a header is invalid; the previous head is kept
   */
  void encode(int status, Headers headers, long length, boolean dated) {
    check(headers);
    block.clear();
    encoder.setMaxTableSize(least);
    least = allowed; // a larger table begins with the next head (RFC 7541 section 4.2)
    try {
      encoder.encodeHeader(block, ":status", Integer.toString(status), false);
      boolean hasLength = false;
      boolean hasDate = !dated;
      for (int i = 0; i < headers.size(); i++) {
        String name = headers.name(i).toLowerCase(Locale.ROOT);
        if (!isOfConnection(name)) {
          hasLength |= name.equals("content-length");
          hasDate |= name.equals("date");
          // HTTP/1.1 clients ignore white space around values; here it makes a response malformed.
          encoder.encodeHeader(block, name, headers.value(i).strip(), isOwn(name));
        }
      }
      if (!hasLength && length >= 0) {
        encoder.encodeHeader(block, "content-length", Long.toString(length), true);
      }
      if (!hasDate) {
        encoder.encodeHeader(block, "date", HttpDate.format(System.currentTimeMillis()), true);
      }
    } catch (CharacterCodingException e) {
      throw new IllegalStateException(e); // never thrown for US-ASCII
    }
  }

  /** Returns the array that holds the head, from index 0. */
  byte[] bytes() {
    return block.array();
  }

  int size() {
    return block.length();
  }

  private static void check(Headers headers) {
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i);
      if (!HeaderText.isToken(name)) {
        throw new IllegalArgumentException("invalid header name");
      }
      String value = headers.value(i);
      for (int at = 0; at < value.length(); at++) {
        char c = value.charAt(at);
        if ((c < ' ' && c != '\t') || c == 127 || c > 255) {
          throw new IllegalArgumentException("header " + name + " has an invalid character");
        }
      }
    }
  }

  /** Returns true for headers of the connection, which HTTP/2 forbids. */
  private static boolean isOfConnection(String name) {
    return switch (name) {
      case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade" -> true;
      case "sec-websocket-accept" -> true; // for the Sec-WebSocket-Key of HTTP/1.1 only
      default -> false;
    };
  }

  /** Returns true if the value belongs to a single response or client. */
  private static boolean isOwn(String name) {
    return switch (name) {
      case "content-length", "content-range", "date", "etag", "last-modified", "location" -> true;
      case "set-cookie" -> true;
      default -> false;
    };
  }
}
