package dev.percolate.multipart;

import dev.percolate.http.Charsets;
import dev.percolate.http.Utf8;
import java.io.ByteArrayOutputStream;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The extended value of a parameter: {@code charset'language'percent-encoded} (RFC 8187 section
 * 3.2). Parsing is lenient: a value without apostrophes is all text, an unknown charset means
 * UTF-8, and a percent sign without two digits is kept.
 *
 * @param decoder decodes bytes with the charset of the value; null for UTF-8
 * @param value the encoded part of the value
 */
record ExtendedText(@Nullable Function<byte[], String> decoder, String value) {

  static ExtendedText of(String sent) {
    int language = sent.indexOf('\'');
    int text = sent.indexOf('\'', language + 1);
    return language >= 0 && text >= 0
        ? new ExtendedText(Charsets.find(sent.substring(0, language)), sent.substring(text + 1))
        : new ExtendedText(null, sent);
  }

  /** Returns the text. */
  String text() {
    return decode(unescaped(value));
  }

  /** Decodes bytes with the charset of the value. */
  String decode(byte[] bytes) {
    return decoder == null ? Utf8.text(bytes) : decoder.apply(bytes);
  }

  /** Returns the bytes of percent-encoded text. */
  static byte[] unescaped(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int at = 0;
    while (at < text.length()) {
      int octet = text.charAt(at) == '%' ? octet(text, at + 1) : -1;
      if (octet >= 0) {
        bytes.write(octet);
        at += 3;
      } else {
        int end = text.indexOf('%', at + 1);
        end = end < 0 ? text.length() : end;
        bytes.writeBytes(Utf8.bytes(text.substring(at, end)));
        at = end;
      }
    }
    return bytes.toByteArray();
  }

  /** Returns the value of two hexadecimal digits; -1 if they are missing or invalid. */
  static int octet(String text, int at) {
    int high = at + 1 < text.length() ? Character.digit(text.charAt(at), 16) : -1;
    int low = high < 0 ? -1 : Character.digit(text.charAt(at + 1), 16);
    return low < 0 ? -1 : high << 4 | low;
  }
}
