package dev.percolate.json;

import dev.percolate.core.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a JSON text follows the grammar of RFC 8259, and writes its tokens to a tape.
 *
 * <p>It works on bytes without decoding them, since the grammar uses ASCII only.
 */
final class JsonScanner {

  /** The byte order mark in UTF-8. */
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  /** The typical number of bytes per token. */
  private static final int USUAL_TOKEN = 6;

  private static final int FEWEST_TOKENS = 8;
  private static final int USUAL_DEPTH = 8;

  private final byte[] bytes;
  private final @Nullable String text;
  private final JsonCodec.ReadOptions reading;
  private int[] tokens;
  private int end;
  private int at;

  /** The tokens of the open containers, and the number of their entries. */
  private int[] open = new int[USUAL_DEPTH];

  private int[] entries = new int[USUAL_DEPTH];
  private int depth;

  private JsonScanner(byte[] bytes, @Nullable String text, JsonCodec.ReadOptions reading) {
    this.bytes = bytes;
    this.text = text;
    this.reading = reading;
    this.at = text == null && beginsWithMark(bytes) ? MARK.length : 0;
    this.tokens = new int[JsonTape.SIZE * (FEWEST_TOKENS + bytes.length / USUAL_TOKEN)];
  }

  private static boolean beginsWithMark(byte[] utf8) {
    return utf8.length >= MARK.length && Arrays.equals(utf8, 0, MARK.length, MARK, 0, MARK.length);
  }

  /**
   * Scans JSON in UTF-8, with or without a byte order mark.
   *
   * @throws IllegalArgumentException if the JSON is invalid; the message names line and column
   */
  static JsonTape scan(byte[] utf8, JsonCodec.ReadOptions reading) {
    return new JsonScanner(utf8, null, reading).scan();
  }

  /**
   * Scans JSON.
   *
   * @throws IllegalArgumentException if the JSON is invalid; the message names line and column
   */
  static JsonTape scan(String text, JsonCodec.ReadOptions reading) {
    return new JsonScanner(bytes(text), text, reading).scan();
  }

  private static byte[] bytes(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    if (bytes.length < text.length()) { // a surrogate pair has become one question mark
      bytes = new byte[text.length()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (text.charAt(i) < 0x80 ? text.charAt(i) : '?');
      }
    }
    return bytes;
  }

  /** Scans the whole text, without recursion. */
  private JsonTape scan() {
    value();
    while (depth > 0) {
      advance(depth - 1);
    }
    skipSpace();
    if (at < bytes.length) {
      throw unexpected();
    }
    return new JsonTape(bytes, text, tokens, end);
  }

  /** Scans the next entry or the end of the innermost container. */
  private void advance(int innermost) {
    int token = open[innermost];
    boolean object = bytes[tokens[token]] == '{';
    skipSpace();
    if (peek() == (object ? '}' : ']')) {
      tokens[token + 1] = end;
      add(at++, entries[innermost]);
      depth = innermost;
      return;
    }
    if (entries[innermost]++ > 0) {
      expect(',');
    }
    if (object) {
      name();
    }
    value();
  }

  private void name() {
    skipSpace();
    if (peek() != '"') {
      throw unexpected();
    }
    string();
    skipSpace();
    expect(':');
  }

  /** Scans a value; of a container only its beginning. */
  private void value() {
    skipSpace();
    switch (peek()) {
      case '{', '[' -> enter();
      case '"' -> string();
      case 't' -> word("true");
      case 'f' -> word("false");
      case 'n' -> word("null");
      default -> number();
    }
  }

  private void enter() {
    if (depth == reading.depth()) {
      throw failure("nested deeper than " + reading.depth() + " levels");
    }
    if (depth == open.length) {
      open = Arrays.copyOf(open, 2 * depth);
      entries = Arrays.copyOf(entries, 2 * depth);
    }
    open[depth] = end;
    entries[depth++] = 0;
    add(at++, 0);
  }

  private void add(int position, int other) {
    int place = end;
    if (place == tokens.length) {
      tokens = Arrays.copyOf(tokens, place + (place >> 2) * JsonTape.SIZE);
    }
    tokens[place] = position;
    tokens[place + 1] = other;
    end = place + JsonTape.SIZE;
  }

  private void expect(char c) {
    if (peek() != c) {
      throw unexpected();
    }
    at++;
  }

  private void string() {
    int start = at;
    boolean plain = endsPlainly(start + 1);
    boolean ends = plain;
    while (!ends) {
      if (peek() != '\\') {
        throw unexpected();
      }
      at++;
      escape();
      ends = endsPlainly(at);
    }
    add(start, plain ? at : ~at);
    at++;
  }

  /**
   * Advances to the end of a string, an escape or an error. Returns true at the end of the string.
   */
  private boolean endsPlainly(int start) {
    // Local variables are faster here, see BodyBench.jsonByTheCodec.
    byte[] all = bytes;
    int i = start;
    int c = 0;
    while (i < all.length && (c = all[i] & 0xFF) != '"' && c != '\\' && c >= ' ') {
      i++;
    }
    at = i;
    return i < all.length && c == '"';
  }

  private void escape() {
    int c = peek();
    if (c != 'u') {
      if ("\"\\/bfnrt".indexOf(c) < 0) {
        throw unexpected();
      }
      at++;
      return;
    }
    at++;
    for (int i = 0; i < 4; i++) {
      int digit = peek();
      // Character.digit also accepts digits of other scripts.
      if (digit >= 0x80 || Character.digit(digit, 16) < 0) {
        throw unexpected();
      }
      at++;
    }
  }

  private void word(String word) {
    int start = at;
    for (int i = 0; i < word.length(); i++) {
      if (peek() != word.charAt(i)) {
        throw unexpected();
      }
      at++;
    }
    add(start, at);
  }

  private void number() {
    int start = at;
    if (peek() == '-') {
      at++;
    }
    if (peek() == '0') {
      at++;
    } else {
      digits();
    }
    boolean whole = true;
    if (peek() == '.') {
      whole = false;
      at++;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      whole = false;
      at++;
      if (peek() == '+' || peek() == '-') {
        at++;
      }
      digits();
    }
    if (reading.exactNumbers()) {
      checkExact(start, whole);
    }
    add(start, whole ? at : ~at);
  }

  private void checkExact(int start, boolean whole) {
    String number = new String(bytes, start, at - start, StandardCharsets.ISO_8859_1);
    if (NumberText.readExactly(number, whole) == null) {
      throw failure("number with too many digits");
    }
  }

  private void digits() {
    int start = at;
    while (peek() >= '0' && peek() <= '9') {
      at++;
    }
    if (at == start) {
      throw unexpected();
    }
  }

  private void skipSpace() {
    for (int c = peek();
        c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t');
        c = peek()) {
      at++;
    }
  }

  /** Returns the next byte; at the end 0xFF, which no token begins with or contains. */
  private int peek() {
    return at < bytes.length ? bytes[at] & 0xFF : 0xFF;
  }

  private IllegalArgumentException unexpected() {
    if (at >= bytes.length) {
      return failure("unexpected end of text");
    }
    char c = character();
    boolean plain = c > ' ' && c < 0x7F;
    return failure(
        plain
            ? "unexpected '" + c + "'"
            : String.format(Locale.ROOT, "unexpected U+%04X", (int) c));
  }

  private char character() {
    if (text != null) {
      return text.charAt(at);
    }
    int length = Math.min(4, bytes.length - at); // the maximum length of a character
    return new String(bytes, at, length, StandardCharsets.UTF_8).charAt(0);
  }

  /** Returns an error at the current position. */
  private IllegalArgumentException failure(String what) {
    TextPosition place = TextPosition.of(bytes, text, at);
    return new IllegalArgumentException(
        "JSON: " + what + " at line " + place.line() + ", column " + place.column());
  }
}
