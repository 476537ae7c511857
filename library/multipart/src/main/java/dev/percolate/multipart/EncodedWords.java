package dev.percolate.multipart;

import dev.percolate.http.Charsets;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decodes text that consists of encoded words (RFC 2047 section 2). */
final class EncodedWords {

  /** Charset, optionally with a language (RFC 2231 section 5); encoding; encoded text. */
  private static final Pattern WORD =
      Pattern.compile("=\\?([^?*\\s]++)(?:\\*[^?\\s]*+)?\\?([bBqQ])\\?([^?]*+)\\?=\\s*+");

  private EncodedWords() {}

  /**
   * Decodes a text. Whitespace between words is ignored.
   *
   * @return null if the text is not entirely encoded words in known charsets
   */
  static @Nullable String decode(String text) {
    if (!text.startsWith("=?")) {
      return null;
    }
    StringBuilder decoded = new StringBuilder();
    // Words of one charset are decoded together, since some clients split characters.
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String charset = "";
    Matcher word = WORD.matcher(text);
    int at = 0;
    while (at < text.length()) {
      if (!word.region(at, text.length()).lookingAt()) {
        return null;
      }
      if (!charset.equalsIgnoreCase(word.group(1)) && !append(bytes, charset, decoded)) {
        return null;
      }
      charset = word.group(1);
      boolean base64 = word.group(2).equalsIgnoreCase("b");
      byte[] more = base64 ? base64(word.group(3)) : quoted(word.group(3));
      if (more == null) {
        return null;
      }
      bytes.writeBytes(more);
      at = word.end();
    }
    return append(bytes, charset, decoded) ? decoded.toString() : null;
  }

  private static boolean append(ByteArrayOutputStream bytes, String charset, StringBuilder text) {
    if (bytes.size() == 0) {
      return true;
    }
    Function<byte[], String> decoder = Charsets.find(charset);
    if (decoder != null) {
      text.append(decoder.apply(bytes.toByteArray()));
      bytes.reset();
    }
    return decoder != null;
  }

  private static byte @Nullable [] base64(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Decodes the encoding {@code Q}: an underscore is a space, and an equals sign begins two
   * hexadecimal digits.
   */
  private static byte @Nullable [] quoted(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int octet = c == '_' ? ' ' : c == '=' ? ExtendedText.octet(text, i + 1) : c;
      if (octet < 0 || octet > 0xFF || c > 0x7F) {
        return null;
      }
      bytes.write(octet);
      i += c == '=' ? 2 : 0;
    }
    return bytes.toByteArray();
  }
}
