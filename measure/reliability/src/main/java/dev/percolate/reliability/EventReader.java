package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import org.jspecify.annotations.Nullable;

/** Reads an event stream (HTML section 9.2) from chunks (RFC 9112 section 7.1). */
final class EventReader {

  private final InputStream in;
  private int left;

  EventReader(InputStream in) {
    this.in = in;
  }

  /**
   * An event.
   *
   * @param id the id, or an empty string
   * @param name the name, or an empty string
   */
  record Event(String id, String name, String data) {

    private static final Event COMMENT = new Event("", ":", "");

    /** Returns true if this is a comment that keeps the connection alive. */
    boolean isComment() {
      return equals(COMMENT);
    }
  }

  /**
   * Reads up to the end of an event or a comment.
   *
   * @return the event; null at the regular end of the stream
   * @throws EOFException if the connection ends before that
   */
  @Nullable Event next() throws IOException {
    String id = "";
    String name = "";
    StringBuilder data = null;
    while (true) {
      String line = line();
      if (line == null) {
        if (data != null || !id.isEmpty()) {
          throw new ProtocolException("the stream ended within an event");
        }
        return null;
      }
      if (line.isEmpty()) {
        return data == null ? Event.COMMENT : new Event(id, name, data.substring(1));
      }
      String value = line.substring(Math.min(line.length(), line.indexOf(' ') + 1));
      if (line.startsWith("data: ")) {
        data = (data == null ? new StringBuilder() : data).append('\n').append(value);
      } else if (line.startsWith("id: ")) {
        id = value;
      } else if (line.startsWith("event: ")) {
        name = value;
      } else if (!line.startsWith(":")) {
        throw new ProtocolException("invalid event line \"" + line + '"');
      }
    }
  }

  /** Returns a line without its end, or null at the end of the stream. */
  private @Nullable String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(80);
    for (int next = octet(); next != '\n'; next = octet()) {
      if (next < 0) {
        if (line.size() > 0) {
          throw new ProtocolException("the stream ended within a line");
        }
        return null;
      }
      line.write(next);
    }
    return line.toString(UTF_8);
  }

  /** Returns the next byte of the chunks, or -1 after the last one. */
  private int octet() throws IOException {
    if (left == 0) {
      left = Integer.parseInt(end(), 16);
      if (left == 0) {
        end();
        return -1;
      }
    }
    left--;
    int next = read();
    if (left == 0) {
      end();
    }
    return next;
  }

  /** Reads up to the end of a line of the chunked framing. */
  private String end() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(8);
    for (int next = read(); next != '\n'; next = read()) {
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(ISO_8859_1);
  }

  private int read() throws IOException {
    int next = in.read();
    if (next < 0) {
      throw new EOFException("the connection ended within a stream");
    }
    return next;
  }
}
