package dev.percolate.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Encodes and decodes UTF-8. A lone surrogate becomes U+FFFD, not a question mark as in the JDK.
 */
public final class Utf8 {

  private static final byte[] REPLACEMENT = {(byte) 0xEF, (byte) 0xBF, (byte) 0xBD};

  private static final char REPLACED = '\uFFFD';
  private static final char MARK = '\uFEFF';

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** The value 1 in each byte. */
  private static final long EACH = 0x0101010101010101L;

  private static final long QUESTION_MARKS = '?' * EACH;

  private Utf8() {}

  /**
   * Encodes a text.
   *
   * @param text the text
   */
  public static byte[] bytes(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return hasMark(bytes) && hasLoneSurrogate(text) ? replaced(text) : bytes;
  }

  /**
   * Returns true if there are question marks, with which the JDK replaces lone surrogates. Checks
   * eight bytes at a time.
   */
  private static boolean hasMark(byte[] bytes) {
    int i = 0;
    for (; i + Long.BYTES <= bytes.length; i += Long.BYTES) {
      long zeros = (long) LONGS.get(bytes, i) ^ QUESTION_MARKS; // a byte is zero where a mark was
      if (((zeros - EACH) & ~zeros & (EACH << 7)) != 0) {
        return true;
      }
    }
    for (; i < bytes.length; i++) {
      if (bytes[i] == '?') {
        return true;
      }
    }
    return false;
  }

  private static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  private static byte[] replaced(String text) {
    try {
      ByteBuffer encoded =
          StandardCharsets.UTF_8
              .newEncoder()
              .onMalformedInput(CodingErrorAction.REPLACE)
              .replaceWith(REPLACEMENT)
              .encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Decodes text as browsers do: each malformed sequence becomes one U+FFFD, and a leading byte
   * order mark is removed.
   *
   * @param bytes the bytes
   */
  public static String text(byte[] bytes) {
    String decoded = new String(bytes, StandardCharsets.UTF_8);
    // Equal lengths: all ASCII, or each malformed byte was replaced separately.
    boolean wellFormed = decoded.length() == bytes.length || decoded.indexOf(REPLACED) < 0;
    String text = wellFormed ? decoded : malformed(bytes);
    return !text.isEmpty() && text.charAt(0) == MARK ? text.substring(1) : text;
  }

  private static String malformed(byte[] bytes) {
    StringBuilder text = null;
    int start = 0;
    for (int i = 0; i + 1 < bytes.length; i++) {
      // Java replaces an encoded surrogate as a whole, browsers each of its bytes. Splitting it
      // makes Java do the same.
      if (bytes[i] == (byte) 0xED && (bytes[i + 1] & 0xE0) == 0xA0) {
        text = text == null ? new StringBuilder(bytes.length) : text;
        text.append(new String(bytes, start, i + 1 - start, StandardCharsets.UTF_8));
        start = i + 1;
      }
    }
    String rest = new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8);
    return text == null ? rest : text.append(rest).toString();
  }
}
