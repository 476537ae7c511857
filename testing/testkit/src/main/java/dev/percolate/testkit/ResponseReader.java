package dev.percolate.testkit;

import dev.percolate.http.Headers;
import dev.percolate.http.Status;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;

/** Reads HTTP/1.1 responses from a connection, and removes their framing. */
final class ResponseReader {

  private static final int MOST_LINE = 64 << 10;

  private final Source source;
  private final byte[] buffer = new byte[16 << 10];
  private int position;
  private int limit;

  /** Reads the bytes of a connection. */
  @FunctionalInterface
  interface Source {

    /** Reads bytes into a buffer. Returns the number of bytes; -1 at the end. */
    int read(byte[] buffer) throws IOException;
  }

  /** The received bytes are not a valid response. */
  private static final class Malformed extends IOException {

    private static final long serialVersionUID = 1L;

    Malformed(String message) {
      super(message);
    }
  }

  ResponseReader(Source source) {
    this.source = source;
  }

  /**
   * Reads one response.
   *
   * @param head whether it is the response to HEAD
   * @param response collects the response
   * @return true if another response may follow
   */
  boolean read(boolean head, IncomingReply response) {
    try {
      boolean more = readWhole(head, response);
      response.end(true);
      return more;
    } catch (Malformed e) {
      response.fail(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      response.end(false);
    }
    return false;
  }

  private boolean readWhole(boolean head, IncomingReply response) throws IOException {
    int status = status(line());
    Headers headers = headers();
    while (status < 200 && status != 101) { // interim responses such as 100 Continue
      status = status(line());
      headers = headers();
    }
    response.start(status, headers);
    List<String> length = headers.all("Content-Length");
    String coding = headers.get("Transfer-Encoding");
    if (coding != null && !length.isEmpty()) {
      throw new Malformed("response has both Transfer-Encoding and Content-Length");
    }
    if (status == 101) {
      readUntilClosed(response);
      return false;
    }
    if (!head && Status.hasBody(status)) {
      if (coding != null) {
        readChunks(coding, response);
      } else if (length.isEmpty()) {
        readUntilClosed(response);
        return false;
      } else {
        copy(number(length.get(0), 10), response);
      }
    }
    String connection = headers.get("Connection");
    return connection == null || !connection.toLowerCase(Locale.ROOT).equals("close");
  }

  private static int status(String line) throws Malformed {
    boolean known = line.startsWith("HTTP/1.1 ") || line.startsWith("HTTP/1.0 ");
    if (!known || line.length() < 12) {
      throw new Malformed("invalid status line: " + line);
    }
    return (int) number(line.substring(9, 12), 10);
  }

  private Headers headers() throws IOException {
    Headers headers = new Headers();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      if (colon <= 0) {
        throw new Malformed("invalid header: " + line);
      }
      headers.addReceived(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    return headers;
  }

  private void readChunks(String coding, IncomingReply response) throws IOException {
    if (!coding.equalsIgnoreCase("chunked")) {
      throw new Malformed("unknown Transfer-Encoding: " + coding);
    }
    for (long size = number(line(), 16); size > 0; size = number(line(), 16)) {
      copy(size, response);
      if (!line().isEmpty()) {
        throw new Malformed("no line break after the data of a chunk");
      }
    }
    headers(); // trailers
  }

  private void readUntilClosed(IncomingReply response) throws IOException {
    while (position < limit || fill()) {
      response.add(ByteBuffer.wrap(buffer, position, limit - position));
      position = limit;
    }
  }

  private void copy(long length, IncomingReply response) throws IOException {
    long left = length;
    while (left > 0) {
      need();
      int count = (int) Math.min(left, limit - position);
      response.add(ByteBuffer.wrap(buffer, position, count));
      position += count;
      left -= count;
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (char c = next(); c != '\n'; c = next()) {
      line.append(c);
      if (line.length() > MOST_LINE) {
        throw new Malformed("line is longer than 64 KiB");
      }
    }
    int last = line.length() - 1;
    if (last < 0 || line.charAt(last) != '\r') {
      throw new Malformed("line does not end with CRLF: " + line);
    }
    line.setLength(last);
    return line.toString();
  }

  private char next() throws IOException {
    need();
    return (char) (buffer[position++] & 0xff);
  }

  private void need() throws IOException {
    if (position == limit && !fill()) {
      throw new EOFException("connection closed within a response");
    }
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(0, source.read(buffer));
    return limit > 0;
  }

  private static long number(String digits, int radix) throws Malformed {
    boolean strict = !digits.isEmpty() && digits.length() < 16;
    for (int i = 0; strict && i < digits.length(); i++) {
      strict = Character.digit(digits.charAt(i), radix) >= 0;
    }
    if (!strict) {
      throw new Malformed("invalid number: " + digits);
    }
    return Long.parseLong(digits, radix);
  }
}
