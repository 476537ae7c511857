package dev.percolate.parsers;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a charset of one or more bytes for each character, of which a few differ from the JDK's.
 */
final class MultiByte implements Function<byte[], String> {

  /** How euc-jp differs. */
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

  private final Charset charset;
  private final Lead lead;
  private final Map<Integer, Character> changes;

  /** Tells from its first two bytes how long a character is. */
  @FunctionalInterface
  interface Lead {

    Lead NONE = (b, second) -> 1;

    Lead SHIFT_JIS = (b, second) -> (b >= 0x81 && b <= 0x9F) || (b >= 0xE0 && b <= 0xFC) ? 2 : 1;

    Lead EUC_JP = (b, second) -> b == 0x8F ? 3 : b == 0x8E || b >= 0xA1 ? 2 : 1;

    Lead GB = (b, second) -> b < 0x81 || b == 0xFF ? 1 : second >= 0x30 && second <= 0x39 ? 4 : 2;

    int length(int first, int second);
  }

  private MultiByte(Charset charset, Lead lead, Map<Integer, Character> changes) {
    this.charset = charset;
    this.lead = lead;
    this.changes = changes;
  }

  static @Nullable MultiByte of(String charset, Lead lead, Map<Integer, Character> changes) {
    Charset known = Charsets.orNull(charset);
    return known == null ? null : new MultiByte(known, lead, changes);
  }

  @Override
  public String apply(byte[] bytes) {
    CharsetDecoder decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    CharBuffer text =
        CharBuffer.allocate((int) Math.ceil(bytes.length * (double) decoder.maxCharsPerByte()));
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    int at = 0;
    while (at < bytes.length) {
      int first = bytes[at] & 0xFF;
      int second = at + 1 < bytes.length ? bytes[at + 1] & 0xFF : 0;
      int length = first < 0x80 ? 1 : lead.length(first, second);
      Character changed =
          first < 0x80 ? null : changes.get(length == 1 ? first : first << 8 | second);
      if (changed != null && length <= 2) {
        decode(decoder, rest.limit(at), text);
        text.put(changed.charValue());
        rest.limit(bytes.length).position(Math.min(bytes.length, at + length));
      }
      at += length;
    }
    decode(decoder, rest.limit(bytes.length), text);
    return text.flip().toString();
  }

  /** Decodes what lies between two characters that differ, on its own. */
  private static void decode(CharsetDecoder decoder, ByteBuffer bytes, CharBuffer text) {
    if (bytes.hasRemaining()) {
      decoder.reset().decode(bytes, text, true);
      decoder.flush(text);
    }
  }
}
