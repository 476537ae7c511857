package dev.percolate.parsers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * The static dictionary of brotli (RFC 7932 section 8 and appendices A and B). It is loaded when a
 * stream first uses a word.
 */
final class BrotliDictionary {

  private static final int SHORTEST = 4;

  /** The number of words of each length as a power of two, from the shortest length. */
  private static final byte[] BITS = {
    10, 10, 11, 11, 10, 10, 10, 10, 10, 9, 9, 8, 7, 7, 8, 7, 7, 6, 6, 5, 5
  };

  /**
   * The transforms of words: prefix, change, suffix. A change keeps the word (=), converts its
   * first letter or all letters to uppercase (^, ^^), or removes bytes at its beginning or end (+,
   * -).
   */
  private static final String[] TRANSFORMS = {
    "~=~", "~=~ ", " ~=~ ", "~+1~", "~^~ ",
    "~=~ the ", " ~=~", "s ~=~ ", "~=~ of ", "~^~",
    "~=~ and ", "~+2~", "~-1~", ", ~=~ ", "~=~, ",
    " ~^~ ", "~=~ in ", "~=~ to ", "e ~=~ ", "~=~\"",
    "~=~.", "~=~\">", "~=~\n", "~-3~", "~=~]",
    "~=~ for ", "~+3~", "~-2~", "~=~ a ", "~=~ that ",
    " ~^~", "~=~. ", ".~=~", " ~=~, ", "~+4~",
    "~=~ with ", "~=~'", "~=~ from ", "~=~ by ", "~+5~",
    "~+6~", " the ~=~", "~-4~", "~=~. The ", "~^^~",
    "~=~ on ", "~=~ as ", "~=~ is ", "~-7~", "~-1~ing ",
    "~=~\n\t", "~=~:", " ~=~. ", "~=~ed ", "~+9~",
    "~+7~", "~-6~", "~=~(", "~^~, ", "~-8~",
    "~=~ at ", "~=~ly ", " the ~=~ of ", "~-5~", "~-9~",
    " ~^~, ", "~^~\"", ".~=~(", "~^^~ ", "~^~\">",
    "~=~=\"", " ~=~.", ".com/~=~", " the ~=~ of the ", "~^~'",
    "~=~. This ", "~=~,", ".~=~ ", "~^~(", "~^~.",
    "~=~ not ", " ~=~=\"", "~=~er ", " ~^^~ ", "~=~al ",
    " ~^^~", "~=~='", "~^^~\"", "~^~. ", " ~=~(",
    "~=~ful ", " ~^~. ", "~=~ive ", "~=~less ", "~^^~'",
    "~=~est ", " ~^~.", "~^^~\">", " ~=~='", "~^~,",
    "~=~ize ", "~^^~.", "\u00a0~=~", " ~=~,", "~^~=\"",
    "~^^~=\"", "~=~ous ", "~^^~, ", "~^~='", " ~^~,",
    " ~^^~=\"", " ~^^~, ", "~^^~,", "~^^~(", "~^^~. ",
    " ~^^~.", "~^^~='", " ~^^~. ", " ~^~=\"", " ~^^~='",
    " ~^~='"
  };

  /** All words, the shortest first. */
  private static final class Words {

    static final byte[] BYTES = load();

    private Words() {}

    private static byte[] load() {
      try (InputStream in = BrotliDictionary.class.getResourceAsStream("brotli-dictionary.bin")) {
        if (in == null) {
          throw new IllegalStateException(
              "brotli-dictionary.bin is missing next to " + BrotliDictionary.class.getName());
        }
        return in.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private BrotliDictionary() {}

  /**
   * Returns a word.
   *
   * @param length the length of the word before the transform
   * @param id selects the word and its transform
   */
  static byte[] word(int length, int id) throws IOException {
    int group = length - SHORTEST;
    if (group < 0 || group >= BITS.length) {
      throw new IOException("the dictionary has no words of this length");
    }
    int number = id & ((1 << BITS[group]) - 1);
    int transform = id >> BITS[group];
    if (transform >= TRANSFORMS.length) {
      throw new IOException("unknown dictionary word");
    }
    int start = number * length;
    for (int shorter = 0; shorter < group; shorter++) {
      start += (SHORTEST + shorter) << BITS[shorter];
    }
    byte[] word = Arrays.copyOfRange(Words.BYTES, start, start + length);
    return transform == 0 ? word : transformed(word, TRANSFORMS[transform]);
  }

  private static byte[] transformed(byte[] word, String transform) {
    int first = transform.indexOf('~');
    int last = transform.lastIndexOf('~');
    byte[] changed = changed(word, transform.substring(first + 1, last));
    byte[] prefix = transform.substring(0, first).getBytes(UTF_8);
    byte[] suffix = transform.substring(last + 1).getBytes(UTF_8);
    byte[] all = Arrays.copyOf(prefix, prefix.length + changed.length + suffix.length);
    System.arraycopy(changed, 0, all, prefix.length, changed.length);
    System.arraycopy(suffix, 0, all, prefix.length + changed.length, suffix.length);
    return all;
  }

  private static byte[] changed(byte[] word, String change) {
    switch (change.charAt(0)) {
      case '^' -> {
        int at = 0;
        do {
          at += raise(word, at);
        } while (change.length() > 1 && at < word.length);
        return word;
      }
      case '+' -> {
        int dropped = Math.min(word.length, change.charAt(1) - '0');
        return Arrays.copyOfRange(word, dropped, word.length);
      }
      case '-' -> {
        return Arrays.copyOf(word, Math.max(0, word.length - (change.charAt(1) - '0')));
      }
      default -> {
        return word;
      }
    }
  }

  /** Converts a letter to uppercase, by the rule of the format. Returns its length in bytes. */
  private static int raise(byte[] word, int at) {
    int first = word[at] & 0xFF;
    if (first < 0xC0) {
      if (first >= 'a' && first <= 'z') {
        word[at] ^= 0x20;
      }
      return 1;
    }
    int size = first < 0xE0 ? 2 : 3;
    if (at + size <= word.length) {
      word[at + size - 1] ^= (byte) (size == 2 ? 0x20 : 5);
    }
    return size;
  }
}
