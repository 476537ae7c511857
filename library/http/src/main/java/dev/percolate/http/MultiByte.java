package dev.percolate.http;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a charset with up to four bytes per character, using the tables of the JDK with a few
 * changes.
 *
 * <p>Malformed bytes are handled as in the WHATWG Encoding Standard: an invalid sequence becomes
 * one U+FFFD, and ends before its first ASCII byte. So a bad lead byte never hides a quote, a tag
 * or a line feed, unlike in the decoders of the JDK.
 */
final class MultiByte implements Function<byte[], String> {

  /** The characters of EUC-JP that differ from the JDK's table. */
  static final Map<Integer, Character> EUC_JP =
      Map.of(
          0xA1BD, '\u2015',
          0xA1C1, '\uFF5E',
          0xA1C2, '\u2225',
          0xA1DD, '\uFF0D',
          0xA1F1, '\uFFE0',
          0xA1F2, '\uFFE1',
          0xA2CC, '\uFFE2',
          0xFCFB, '\uFFE2',
          0xFCFC, '\uFFE4');

  private static final char NONE = '\0';
  private static final char REPLACEMENT = '\uFFFD';
  private static final int HALF = 0x80;
  private static final int BYTES = 0x100;

  private final Charset charset;
  private final Lead lead;
  private final char[] singles = new char[HALF];
  private final char[] pairs;

  /** Pairs of bytes that stand for more than one {@code char}. */
  private final Map<Integer, String> longPairs = new HashMap<>();

  /** Returns the length of a sequence, given its first two bytes; the first is not ASCII. */
  @FunctionalInterface
  interface Lead {

    Lead NEVER = (b, second) -> 1;

    Lead PAIRS = (b, second) -> b >= 0x81 && b <= 0xFE ? 2 : 1;

    Lead SHIFT_JIS = (b, second) -> (b >= 0x81 && b <= 0x9F) || (b >= 0xE0 && b <= 0xFC) ? 2 : 1;

    Lead EUC_JP =
        (b, second) -> {
          if (b == 0x8F) {
            return second >= 0xA1 && second <= 0xFE ? 3 : 2;
          }
          return b == 0x8E || (b >= 0xA1 && b <= 0xFE) ? 2 : 1;
        };

    Lead GB18030 =
        (b, second) -> PAIRS.length(b, second) == 1 ? 1 : second >= 0x30 && second <= 0x39 ? 4 : 2;

    int length(int first, int second);
  }

  private MultiByte(
      Charset charset, Lead lead, Map<Integer, Character> changes, boolean privateUse) {
    this.charset = charset;
    this.lead = lead;
    this.pairs = new char[lead == Lead.NEVER ? 0 : HALF * BYTES];
    CharsetDecoder decoder = charset.newDecoder();
    for (int first = HALF; first < BYTES; first++) {
      if (lead.length(first, 0xFE) == 1) {
        String text = changed(changes, first, decoded(decoder, new byte[] {(byte) first}));
        singles[first - HALF] = text.isEmpty() ? NONE : text.charAt(0);
        continue;
      }
      for (int second = '0'; second < BYTES; second++) {
        if (lead.length(first, second) == 2) {
          String text = decoded(decoder, new byte[] {(byte) first, (byte) second});
          set(first, second, changed(changes, first << 8 | second, text), privateUse);
        }
      }
    }
  }

  /**
   * Creates a decoder.
   *
   * @param charset the JDK's name of the charset
   * @param lead returns the lengths of sequences
   * @param privateUse whether pairs in the private use area are valid, not malformed
   * @param changes the characters that differ from the JDK's table
   * @return the decoder; null if the runtime image lacks the charset
   */
  static @Nullable MultiByte of(
      String charset, Lead lead, boolean privateUse, Map<Integer, Character> changes) {
    Charset known = charset(charset);
    return known == null ? null : new MultiByte(known, lead, changes, privateUse);
  }

  /** Returns a charset of the JDK; null in a runtime image without the module jdk.charsets. */
  static @Nullable Charset charset(String name) {
    return Charset.isSupported(name) ? Charset.forName(name) : null;
  }

  @Override
  public String apply(byte[] bytes) {
    CharsetDecoder decoder = charset.newDecoder();
    StringBuilder text = new StringBuilder(bytes.length);
    int at = 0;
    while (at < bytes.length) {
      int length = 1;
      if (bytes[at] >= 0) {
        text.append((char) bytes[at]);
      } else {
        length = lead.length(bytes[at] & 0xFF, at + 1 < bytes.length ? bytes[at + 1] & 0xFF : 0);
        if (length > bytes.length - at || !append(bytes, at, length, decoder, text)) {
          text.append(REPLACEMENT);
          length = malformed(bytes, at, length);
        }
      }
      at += length;
    }
    return text.toString();
  }

  /** Appends the character of a sequence; returns false if the sequence is invalid. */
  private boolean append(
      byte[] bytes, int at, int length, CharsetDecoder decoder, StringBuilder text) {
    int first = (bytes[at] & 0xFF) - HALF;
    if (length > 2) {
      String found = decoded(decoder, Arrays.copyOfRange(bytes, at, at + length));
      text.append(found);
      return !found.isEmpty();
    }
    int pair = length == 1 ? 0 : first * BYTES + (bytes[at + 1] & 0xFF);
    char found = length == 1 ? singles[first] : pairs[pair];
    if (found != NONE) {
      text.append(found);
      return true;
    }
    String several = length == 1 ? null : longPairs.get(pair);
    if (several != null) {
      text.append(several);
    }
    return several != null;
  }

  /** Returns the number of malformed bytes: those before the first ASCII byte of the sequence. */
  private static int malformed(byte[] bytes, int at, int length) {
    int end = Math.min(bytes.length, at + length);
    int i = at + 1;
    while (i < end && bytes[i] < 0) {
      i++;
    }
    return i - at;
  }

  private static String changed(Map<Integer, Character> changes, int sequence, String text) {
    Character changed = changes.get(sequence);
    return changed == null ? text : changed.toString();
  }

  private void set(int first, int second, String text, boolean privateUse) {
    int pair = (first - HALF) * BYTES + second;
    if (text.length() > 1) {
      longPairs.put(pair, text);
    } else if (!text.isEmpty()
        && (privateUse || Character.getType(text.charAt(0)) != Character.PRIVATE_USE)) {
      pairs[pair] = text.charAt(0);
    }
  }

  /** Decodes one sequence; returns an empty string if it is invalid. */
  private static String decoded(CharsetDecoder decoder, byte[] sequence) {
    CharBuffer text = CharBuffer.allocate(2 * sequence.length);
    boolean whole =
        decoder.reset().decode(ByteBuffer.wrap(sequence), text, true).isUnderflow()
            && decoder.flush(text).isUnderflow();
    return whole ? text.flip().toString() : "";
  }
}
