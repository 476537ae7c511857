package dev.percolate.testkit;

import dev.percolate.http.Headers;
import dev.percolate.http.Status;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;

/** Reads answers in HTTP/1.1 as they come over a connection, and takes off their framing. */
final class AnswerReader {

  private static final int MOST_LINE = 64 << 10;

  private final Source source;
  private final byte[] buffer = new byte[16 << 10];
  private int position;
  private int limit;

  /** Gives the next bytes of a connection. */
  @FunctionalInterface
  interface Source {

    /** Fills the front of a buffer; gives how many bytes it read, -1 at the end. */
    int read(byte[] buffer) throws IOException;
  }

  /** What came is no HTTP. */
  private static final class Malformed extends IOException {

    private static final long serialVersionUID = 1L;

    Malformed(String message) {
      super(message);
    }
  }

  AnswerReader(Source source) {
    this.source = source;
  }

  /**
   * Reads one answer.
   *
   * @param head whether it answers HEAD
   * @param answer collects it
   * @return whether another answer may follow
   */
  boolean read(boolean head, IncomingReply answer) {
    try {
      boolean more = readWhole(head, answer);
      answer.end(true);
      return more;
    } catch (Malformed e) {
      answer.fail(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      answer.end(false);
    }
    return false;
  }

  private boolean readWhole(boolean head, IncomingReply answer) throws IOException {
    int status = status(line());
    Headers headers = headers();
    while (status < 200 && status != 101) { // 100 Continue and the like stand before the answer
      status = status(line());
      headers = headers();
    }
    answer.start(status, headers);
    List<String> length = headers.all("Content-Length");
    String coding = headers.get("Transfer-Encoding");
    if (coding != null && !length.isEmpty()) {
      throw new Malformed("both Transfer-Encoding and Content-Length");
    }
    if (status == 101) {
      readUntilClosed(answer);
      return false;
    }
    if (!head && Status.hasBody(status)) {
      if (coding != null) {
        readChunks(coding, answer);
      } else if (length.isEmpty()) {
        readUntilClosed(answer);
        return false;
      } else {
        copy(number(length.get(0), 10), answer);
      }
    }
    String connection = headers.get("Connection");
    return connection == null || !connection.toLowerCase(Locale.ROOT).equals("close");
  }

  private static int status(String line) throws Malformed {
    boolean known = line.startsWith("HTTP/1.1 ") || line.startsWith("HTTP/1.0 ");
    if (!known || line.length() < 12) {
      throw new Malformed("not a status line: " + line);
    }
    return (int) number(line.substring(9, 12), 10);
  }

  private Headers headers() throws IOException {
    Headers headers = new Headers();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      if (colon <= 0) {
        throw new Malformed("not a header: " + line);
      }
      headers.addReceived(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    return headers;
  }

  private void readChunks(String coding, IncomingReply answer) throws IOException {
    if (!coding.equalsIgnoreCase("chunked")) {
      throw new Malformed("Transfer-Encoding: " + coding);
    }
    for (long size = number(line(), 16); size > 0; size = number(line(), 16)) {
      copy(size, answer);
      if (!line().isEmpty()) {
        throw new Malformed("a chunk that is longer than its size");
      }
    }
    headers(); // trailers
  }

  private void readUntilClosed(IncomingReply answer) throws IOException {
    while (position < limit || fill()) {
      answer.add(ByteBuffer.wrap(buffer, position, limit - position));
      position = limit;
    }
  }

  private void copy(long length, IncomingReply answer) throws IOException {
    long left = length;
    while (left > 0) {
      need();
      int count = (int) Math.min(left, limit - position);
      answer.add(ByteBuffer.wrap(buffer, position, count));
      position += count;
      left -= count;
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (char c = next(); c != '\n'; c = next()) {
      line.append(c);
      if (line.length() > MOST_LINE) {
        throw new Malformed("a line without an end");
      }
    }
    int last = line.length() - 1;
    if (last < 0 || line.charAt(last) != '\r') {
      throw new Malformed("a line that does not end in CRLF: " + line);
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
      throw new EOFException("closed inside an answer");
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
      throw new Malformed("not a number: " + digits);
    }
    return Long.parseLong(digits, radix);
  }
}
