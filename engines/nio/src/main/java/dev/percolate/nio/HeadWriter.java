package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.percolate.http.HttpDate;
import dev.percolate.http.Status;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the heads of responses as bytes. Each event loop has one and uses it for one head at a
 * time. Rejects headers with invalid characters.
 */
final class HeadWriter {

  private static final byte[] CLOSE = bytes("Connection: close\r\n");
  private static final byte[] KEEP_ALIVE = bytes("Connection: keep-alive\r\n");
  private static final byte[] CHUNKED = bytes("Transfer-Encoding: chunked\r\n");
  private static final byte[] LENGTH = bytes("Content-Length: ");
  private static final byte[][] STATUS_LINES = new byte[1000][];

  private final LongSupplier millis;
  private final RecentLines recent = new RecentLines();
  private byte[] bytes = new byte[1024];
  private int size;
  private byte[] date = {};
  private long second = -1;

  /** Creates a writer. */
  HeadWriter() {
    this(System::currentTimeMillis);
  }

  /**
   * Creates a writer with another clock for the Date header.
   *
   * @param millis returns the time, in milliseconds since 1970
   */
  HeadWriter(LongSupplier millis) {
    this.millis = millis;
  }

  /** Begins a head and discards the one before. */
  void begin(int status) {
    size = 0;
    byte[] line = STATUS_LINES[status];
    if (line == null) {
      String phrase = Status.phrase(status);
      line = bytes("HTTP/1.1 " + status + " " + (phrase.isEmpty() ? "unknown" : phrase) + "\r\n");
      STATUS_LINES[status] = line;
    }
    put(line);
  }

  /**
   * Writes a header.
   *
   * @throws IllegalArgumentException if it has invalid characters; then the head must not be used
   */
  void line(String name, String value) {
    byte[] known = recent.find(name, value);
    if (known != null) {
      put(known);
      return;
    }
    int from = size;
    append(name, value);
    recent.note(name, value, bytes, from, size);
  }

  private void append(String name, String value) {
    reserve(name.length() + value.length() + 4);
    byte[] to = bytes;
    int at = size;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!Characters.isToken(c)) {
        throw new IllegalArgumentException("response header name has an invalid character");
      }
      to[at++] = (byte) c;
    }
    to[at++] = ':';
    to[at++] = ' ';
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (!Characters.isValue(c)) {
        throw new IllegalArgumentException(
            "value of response header " + name + " has an invalid character");
      }
      to[at++] = (byte) c;
    }
    to[at++] = '\r';
    to[at++] = '\n';
    size = at;
  }

  void length(long length) {
    reserve(LENGTH.length + 22);
    put(LENGTH);
    long rest = length;
    int digits = 1;
    for (long most = 9; length > most && digits < 19; most = most * 10 + 9) {
      digits++;
    }
    for (int i = size + digits - 1; i >= size; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    size += digits;
    bytes[size++] = '\r';
    bytes[size++] = '\n';
  }

  void chunked() {
    put(CHUNKED);
  }

  void close() {
    put(CLOSE);
  }

  void keepAlive() {
    put(KEEP_ALIVE);
  }

  /** Writes the Date header. */
  void date() {
    long now = millis.getAsLong();
    if (now / 1000 != second) {
      second = now / 1000;
      date = bytes("Date: " + HttpDate.format(now) + "\r\n");
    }
    put(date);
  }

  /** Ends the head. */
  void end() {
    reserve(2);
    bytes[size++] = '\r';
    bytes[size++] = '\n';
  }

  /** Returns the buffer that contains the head, from index 0, until the next head begins. */
  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  private void put(byte[] some) {
    reserve(some.length);
    System.arraycopy(some, 0, bytes, size, some.length);
    size += some.length;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  /**
   * A cache of encoded header lines. Most lines repeat from response to response, and a cached line
   * is not checked again. A line is cached when it repeats. Cookies are never cached, because they
   * differ per client. Used for one head at a time.
   */
  static final class RecentLines {

    private static final int SLOTS = 64;

    /** Longer lines are not cached. */
    private static final int LONGEST = 256;

    private final String[] names = new String[SLOTS];
    private final String[] values = new String[SLOTS];

    /** The encoded lines; null for lines that occurred once. */
    private final byte[] @Nullable [] lines = new byte[SLOTS][];

    RecentLines() {
      Arrays.fill(names, "");
      Arrays.fill(values, "");
    }

    /** Returns a cached line; null if there is none. */
    byte @Nullable [] find(String name, String value) {
      int slot = slot(name, value);
      return isAt(slot, name, value) ? lines[slot] : null;
    }

    /** Records a line that was written. */
    void note(String name, String value, byte[] bytes, int from, int to) {
      if (to - from > LONGEST || name.equalsIgnoreCase("Set-Cookie")) {
        return;
      }
      int slot = slot(name, value);
      if (isAt(slot, name, value)) {
        lines[slot] = Arrays.copyOfRange(bytes, from, to);
      } else {
        names[slot] = name;
        values[slot] = value;
        lines[slot] = null;
      }
    }

    private boolean isAt(int slot, String name, String value) {
      return name.equals(names[slot]) && value.equals(values[slot]);
    }

    /**
     * Returns the slot of a line, from its name and from the length and last character of its
     * value.
     */
    private static int slot(String name, String value) {
      int length = value.length();
      int last = length == 0 ? 0 : value.charAt(length - 1);
      return (name.hashCode() + 31 * length + last) & (SLOTS - 1);
    }
  }
}
