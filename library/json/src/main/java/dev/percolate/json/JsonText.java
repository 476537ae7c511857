package dev.percolate.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tools.jackson.core.SerializableString;

/** JSON output in UTF-8, with the escapes of {@code JSON.stringify}. */
final class JsonText {

  private static final String HEX = "0123456789abcdef";
  private static final int FIRST_SIZE = 256;
  private static final int GREATEST_PIECE = 1 << 20;
  private static final byte[] NOTHING = {};

  /**
   * The maximum size of a UTF-16 character, as an escape: a backslash, a letter and four digits.
   */
  private static final int MOST_OF_A_SIGN = 6;

  private static final int MOST_OF_A_NUMBER = 20;

  /** The characters below 128 that need no escape. */
  private static final boolean[] PLAIN = new boolean[128];

  static {
    Arrays.fill(PLAIN, ' ', PLAIN.length, true);
    PLAIN['"'] = false;
    PLAIN['\\'] = false;
  }

  /** The full buffers, and how many bytes of each are used. */
  private byte[][] full = new byte[4][];

  private int[] sizes = new int[4];
  private int count;

  private byte[] bytes = new byte[FIRST_SIZE];
  private int size;

  /** Appends an ASCII character. */
  void sign(char sign) {
    ensure(1);
    bytes[size++] = (byte) sign;
  }

  /** Appends ASCII text without changes. */
  @SuppressWarnings("deprecation") // the only way that creates no array
  void ascii(String text) {
    ensure(text.length());
    text.getBytes(0, text.length(), bytes, size);
    size += text.length();
  }

  /** Appends UTF-8 bytes without changes. */
  void raw(byte[] text, int offset, int length) {
    ensure(length);
    System.arraycopy(text, offset, bytes, size, length);
    size += length;
  }

  /** Appends text without changes. */
  void raw(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    raw(encoded, 0, encoded.length);
  }

  /** Begins a new line with the given level of indentation. */
  void newLine(String indent, int level) {
    sign('\n');
    for (int i = 0; i < level; i++) {
      raw(indent);
    }
  }

  /** Appends an integer. */
  void number(long value) {
    if (value == Long.MIN_VALUE) {
      ascii(Long.toString(value));
      return;
    }
    ensure(MOST_OF_A_NUMBER);
    if (value < 0) {
      bytes[size++] = '-';
    }
    long rest = Math.abs(value);
    int end = size + digits(rest);
    size = end;
    do {
      bytes[--end] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
  }

  private static int digits(long value) {
    int digits = 1;
    for (long power = 10; digits < 19 && value >= power; power *= 10) {
      digits++;
    }
    return digits;
  }

  /** Appends a quoted name and a colon. */
  void name(SerializableString name) {
    byte[] kept = quotedByJackson(name);
    // Same length, so it has no escapes, which Jackson writes differently.
    if (kept.length != name.charLength()) {
      quoted(name.getValue());
      sign(':');
      return;
    }
    ensure(kept.length + 3);
    byte[] to = bytes;
    int at = size;
    to[at++] = '"';
    System.arraycopy(kept, 0, to, at, kept.length);
    at += kept.length;
    to[at++] = '"';
    to[at++] = ':';
    size = at;
  }

  private static byte[] quotedByJackson(SerializableString name) {
    try {
      return name.asQuotedUTF8();
    } catch (RuntimeException e) { // an unpaired surrogate
      return NOTHING;
    }
  }

  /** Appends a quoted string, with escapes where necessary. */
  void quoted(String text) {
    int length = text.length();
    ensure(length + 2);
    // Local variables are faster here, see JsonBench.recordsWrittenByTheCodec.
    byte[] to = bytes;
    int at = size;
    to[at++] = '"';
    int i = 0;
    for (; i < length; i++) {
      char c = text.charAt(i);
      if (c >= PLAIN.length || !PLAIN[c]) {
        break;
      }
      to[at++] = (byte) c;
    }
    size = at;
    if (i < length) {
      escaped(text, i);
      sign('"');
    } else {
      to[at] = '"';
      size = at + 1;
    }
  }

  /** Appends the rest of a string, character by character. */
  private void escaped(String text, int start) {
    for (int i = start; i < text.length(); i++) {
      ensure(MOST_OF_A_SIGN);
      char c = text.charAt(i);
      if (c < PLAIN.length) {
        if (PLAIN[c]) {
          bytes[size++] = (byte) c;
        } else {
          escape(c);
        }
      } else if (c < 0x800) {
        bytes[size++] = (byte) (0xC0 | (c >> 6));
        tail(c);
      } else if (!Character.isSurrogate(c)) {
        bytes[size++] = (byte) (0xE0 | (c >> 12));
        tail(c >> 6);
        tail(c);
      } else if (isPair(text, i)) {
        int point = text.codePointAt(i++);
        bytes[size++] = (byte) (0xF0 | (point >> 18));
        tail(point >> 12);
        tail(point >> 6);
        tail(point);
      } else {
        escape(c);
      }
    }
  }

  private void tail(int bits) {
    bytes[size++] = (byte) (0x80 | (bits & 0x3F));
  }

  private static boolean isPair(String text, int i) {
    return i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
  }

  private void escape(char c) {
    bytes[size++] = '\\';
    int simple = "\"\\\b\f\n\r\t".indexOf(c);
    if (simple >= 0) {
      bytes[size++] = (byte) "\"\\bfnrt".charAt(simple);
      return;
    }
    bytes[size++] = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) {
      bytes[size++] = (byte) HEX.charAt(c >> shift & 15);
    }
  }

  private void ensure(int more) {
    if (more > bytes.length - size) {
      grow(more);
    }
  }

  /** Begins a new buffer. The full ones are copied once, at the end. */
  private void grow(int more) {
    if (count == sizes.length) {
      full = Arrays.copyOf(full, 2 * count);
      sizes = Arrays.copyOf(sizes, 2 * count);
    }
    full[count] = bytes;
    sizes[count++] = size;
    bytes = new byte[Math.max(more, Math.min(2 * bytes.length, GREATEST_PIECE))];
    size = 0;
  }

  /** Returns the output. */
  byte[] toBytes() {
    if (count == 0) {
      return Arrays.copyOf(bytes, size);
    }
    int length = size;
    for (int i = 0; i < count; i++) {
      length = Math.addExact(length, sizes[i]);
    }
    byte[] whole = new byte[length];
    int at = 0;
    for (int i = 0; i < count; i++) {
      System.arraycopy(full[i], 0, whole, at, sizes[i]);
      at += sizes[i];
    }
    System.arraycopy(bytes, 0, whole, at, size);
    return whole;
  }

  @Override
  public String toString() {
    return count == 0
        ? new String(bytes, 0, size, StandardCharsets.UTF_8)
        : new String(toBytes(), StandardCharsets.UTF_8);
  }
}
