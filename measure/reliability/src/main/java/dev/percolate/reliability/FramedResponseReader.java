package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads responses one after the other from a connection that stays open (RFC 9112). It rejects
 * inexact framing, because bytes of one response must not appear in the next.
 */
final class FramedResponseReader {

  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.1 [1-5]\\d\\d .*");
  private static final Pattern DECIMAL = Pattern.compile("\\d{1,9}");
  private static final Pattern HEXADECIMAL = Pattern.compile("[0-9a-fA-F]{1,7}");
  private static final int LONGEST_LINE = 8 << 10;
  private static final int LARGEST_BODY = 1 << 20;

  private final BufferedInputStream in;

  FramedResponseReader(InputStream in) {
    this.in = new BufferedInputStream(in, 16 << 10);
  }

  /**
   * Reads one response.
   *
   * @param toHead whether the response has no body
   * @throws EOFException if the connection ends before the response does
   * @throws ProtocolException if the response is malformed
   */
  FramedResponse read(boolean toHead) throws IOException {
    String first = line();
    if (!STATUS_LINE.matcher(first).matches()) {
      throw new ProtocolException("invalid status line \"" + first + '"');
    }
    int status = Integer.parseInt(first.substring(9, 12));
    Map<String, String> headers = headers();
    boolean bodiless = toHead || status == 204 || status == 304;
    return new FramedResponse(status, headers, bodiless ? new byte[0] : body(headers));
  }

  /** Returns the stream after the last response read. */
  InputStream rest() {
    return in;
  }

  /** Waits for the end of the connection. */
  void readEnd() throws IOException {
    int surplus = in.read();
    if (surplus >= 0) {
      throw new ProtocolException("more bytes after the last response, the first is " + surplus);
    }
  }

  private Map<String, String> headers() throws IOException {
    Map<String, String> headers = new HashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      if (colon <= 0) {
        throw new ProtocolException("invalid header line \"" + line + '"');
      }
      String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
      if (headers.put(name, line.substring(colon + 1).strip()) != null) {
        throw new ProtocolException("duplicate header " + name);
      }
    }
    return headers;
  }

  private byte[] body(Map<String, String> headers) throws IOException {
    String length = headers.get("content-length");
    boolean chunked = "chunked".equalsIgnoreCase(headers.get("transfer-encoding"));
    if (chunked == (length != null)) {
      throw new ProtocolException("a body needs exactly one kind of length: " + headers);
    }
    return length == null ? chunks() : bytes(number(length, 10));
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int length = number(line(), 16); length > 0; length = number(line(), 16)) {
      body.writeBytes(bytes(length));
      endLine();
    }
    endLine();
    return body.toByteArray();
  }

  private byte[] bytes(int length) throws IOException {
    if (length > LARGEST_BODY) {
      throw new ProtocolException("body too large: " + length + " bytes");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("end after " + bytes.length + " of " + length + " bytes");
    }
    return bytes;
  }

  private void endLine() throws IOException {
    String rest = line();
    if (!rest.isEmpty()) {
      throw new ProtocolException("expected the end of a line, got \"" + rest + '"');
    }
  }

  private static int number(String digits, int radix) throws IOException {
    if (!(radix == 16 ? HEXADECIMAL : DECIMAL).matcher(digits).matches()) {
      throw new ProtocolException("invalid length \"" + digits + '"');
    }
    return Integer.parseInt(digits, radix);
  }

  /** Reads a line without its end, which must be CR LF. */
  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(80);
    for (int next = in.read(); next != '\r'; next = in.read()) {
      if (next < 0) {
        throw new EOFException(
            line.size() == 0 ? "no response" : "end after \"" + line.toString(ISO_8859_1) + '"');
      }
      if (next == '\n' || line.size() == LONGEST_LINE) {
        throw new ProtocolException("invalid line \"" + line.toString(ISO_8859_1) + '"');
      }
      line.write(next);
    }
    if (in.read() != '\n') {
      throw new ProtocolException("CR without LF");
    }
    return line.toString(ISO_8859_1);
  }
}
