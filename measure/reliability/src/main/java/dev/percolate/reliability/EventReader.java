package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import org.jspecify.annotations.Nullable;

/** Reads a stream of events (HTML section 9.2) out of chunks (RFC 9112 section 7.1). */
final class EventReader {

  private final InputStream in;
  private int left;

  EventReader(InputStream in) {
    this.in = in;
  }

  /**
   * An event.
   *
   * @param id empty for none
   * @param name empty for none
   */
  record Event(String id, String name, String data) {

    private static final Event COMMENT = new Event("", ":", "");

    /** Tells whether it is none, but a comment that keeps the connection alive. */
    boolean isComment() {
      return equals(COMMENT);
    }
  }

  /**
   * Reads up to the end of an event, or of a comment.
   *
   * @return the event; null if the stream has ended as it should
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
          throw new ProtocolException("the stream ends in the midst of an event");
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
        throw new ProtocolException("no event has the line \"" + line + '"');
      }
    }
  }

  /** Returns a line without its end; null at the end of the stream. */
  private @Nullable String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(80);
    for (int next = octet(); next != '\n'; next = octet()) {
      if (next < 0) {
        if (line.size() > 0) {
          throw new ProtocolException("the stream ends in the midst of a line");
        }
        return null;
      }
      line.write(next);
    }
    return line.toString(UTF_8);
  }

  /** Returns the next byte out of the chunks; -1 behind the last one. */
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

  /** Reads up to the end of a line of the chunks. */
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
      throw new EOFException("the connection ends in the midst of a stream");
    }
    return next;
  }
}
