package dev.percolate.parsers;

import java.nio.charset.Charset;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decodes a charset of one byte for each character, of which a few differ from the JDK's. */
final class SingleByte implements TextDecoder {

  private final char[] table = new char[256];

  private SingleByte(Charset charset, Map<Integer, Character> changes) {
    for (int octet = 0; octet < table.length; octet++) {
      char known = new String(new byte[] {(byte) octet}, charset).charAt(0);
      table[octet] = changes.getOrDefault(octet, known);
    }
  }

  static @Nullable TextDecoder of(String charset, Map<Integer, Character> changes) {
    Charset known = Charsets.orNull(charset);
    return known == null ? null : new SingleByte(known, changes);
  }

  @Override
  public String decode(byte[] bytes) {
    char[] text = new char[bytes.length];
    for (int i = 0; i < text.length; i++) {
      text[i] = table[bytes[i] & 0xFF];
    }
    return new String(text);
  }
}
