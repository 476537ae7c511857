package dev.percolate.parsers;

/** The contexts of literals, which the two previous bytes select (RFC 7932 section 7.1). */
final class BrotliContext {

  private static final int LEAST_BITS = 0;
  private static final int MOST_BITS = 1;
  private static final int UTF_8 = 2;

  /** The contributions of the last byte of text, in ASCII order from the space character. */
  private static final String ASCII =
      "8<@<<D<@HL<<P<T<\\\\\\\\\\\\\\\\\\\\PPHXL<"
          + "<`ddd`ddd`ddddd`ddddd`dddddH<L<<"
          + "<hlllhlllhlllllhlllllhlllllH<L<0";

  private static final byte[] LAST = last();
  private static final byte[] BEFORE = before();

  private BrotliContext() {}

  /** Returns the context, from 0 to 63, of a literal after two bytes. */
  static int of(int mode, int last, int before) {
    return switch (mode) {
      case LEAST_BITS -> last & 0x3F;
      case MOST_BITS -> last >> 2;
      case UTF_8 -> LAST[last] | BEFORE[before];
      default -> (magnitude(last) << 3) | magnitude(before);
    };
  }

  private static byte[] last() {
    byte[] classes = new byte[256];
    classes['\t'] = classes['\n'] = classes['\r'] = 4;
    for (int i = 0; i < ASCII.length(); i++) {
      classes[' ' + i] = (byte) (ASCII.charAt(i) - '0');
    }
    for (int i = 0x80; i < 0x100; i++) {
      classes[i] = (byte) ((i & 1) + (i < 0xC0 ? 0 : 2));
    }
    return classes;
  }

  private static byte[] before() {
    byte[] classes = new byte[256];
    for (int i = '!'; i < 0x7F; i++) {
      boolean lower = i >= 'a' && i <= 'z';
      boolean upper = (i >= 'A' && i <= 'Z') || (i >= '0' && i <= '9');
      classes[i] = (byte) (lower ? 3 : upper ? 2 : 1);
    }
    for (int i = 0xE0; i < 0x100; i++) {
      classes[i] = 2;
    }
    return classes;
  }

  /** Returns the magnitude class of a signed byte, from 0 to 7. */
  private static int magnitude(int value) {
    if (value == 0) {
      return 0;
    }
    if (value == 0xFF) {
      return 7;
    }
    return value < 0x10
        ? 1
        : value < 0x40 ? 2 : value < 0x80 ? 3 : value < 0xC0 ? 4 : value < 0xF0 ? 5 : 6;
  }
}
