package dev.percolate.http2;

import dev.percolate.http.Headers;
import dev.percolate.http.HttpDate;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.hc.core5.http2.hpack.HPackEncoder;
import org.apache.hc.core5.util.ByteArrayBuffer;

/**
 * Encodes the heads of the answers of one connection by HPACK (RFC 7541). What is secret, or other
 * with each answer, does not get into the table.
 */
final class ResponseHead {

  /** The most that the table of an answer's heads takes, whatever the client would have. */
  private static final int TABLE = 4096;

  private final HPackEncoder encoder = new HPackEncoder(TABLE, StandardCharsets.US_ASCII);
  private final ByteArrayBuffer block = new ByteArrayBuffer(256);
  private int table = TABLE;

  /** Takes the size of the table that the client has room for. */
  void table(int size) {
    int wanted = Math.min(TABLE, size);
    if (wanted != table) {
      table = wanted;
      encoder.setMaxTableSize(wanted);
    }
  }

  /**
   * Encodes a head, in the place of the one before.
   *
   * @param status its status
   * @param length that of its body, if the headers do not say so; negative if it is not known
   * @param dated whether it needs a date
   * @throws IllegalArgumentException if it cannot be sent; nothing is changed then
   */
  void encode(int status, Headers headers, long length, boolean dated) {
    check(headers);
    block.clear();
    try {
      encoder.encodeHeader(block, ":status", Integer.toString(status), false);
      boolean hasLength = false;
      boolean hasDate = !dated;
      for (int i = 0; i < headers.size(); i++) {
        String name = headers.name(i).toLowerCase(Locale.ROOT);
        if (!isOfConnection(name)) {
          hasLength |= name.equals("content-length");
          hasDate |= name.equals("date");
          encoder.encodeHeader(block, name, headers.value(i), isOwn(name));
        }
      }
      if (!hasLength && length >= 0) {
        encoder.encodeHeader(block, "content-length", Long.toString(length), true);
      }
      if (!hasDate) {
        encoder.encodeHeader(block, "date", HttpDate.format(System.currentTimeMillis()), true);
      }
    } catch (CharacterCodingException e) {
      throw new IllegalStateException(e); // no charset takes part
    }
  }

  /** Returns where the head lies, from the first byte on. */
  byte[] bytes() {
    return block.array();
  }

  int size() {
    return block.length();
  }

  private static void check(Headers headers) {
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i);
      if (!Names.isToken(name)) {
        throw new IllegalArgumentException("the name of a header is no token");
      }
      String value = headers.value(i);
      for (int at = 0; at < value.length(); at++) {
        char c = value.charAt(at);
        if ((c < ' ' && c != '\t') || c == 127 || c > 255) {
          throw new IllegalArgumentException("the value of the header " + name + " is none");
        }
      }
    }
  }

  /** Tells whether a header is that of a connection, of which a stream has none. */
  private static boolean isOfConnection(String name) {
    return switch (name) {
      case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade" -> true;
      case "sec-websocket-accept" -> true; // which answers what a client of HTTP/1.1 has made up
      default -> false;
    };
  }

  /** Tells whether a value belongs to one answer only, or to one client. */
  private static boolean isOwn(String name) {
    return switch (name) {
      case "content-length", "content-range", "date", "etag", "last-modified", "location" -> true;
      case "set-cookie" -> true;
      default -> false;
    };
  }
}
