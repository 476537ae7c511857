package dev.percolate.json;

import dev.percolate.core.JsonCodec;
import dev.percolate.http.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON text, exactly by the grammar of RFC 8259, to plain values.
 *
 * <p>It goes by bytes: the grammar knows ASCII alone, so that only what quotes hold is decoded.
 */
final class JsonReader {

  /** The byte order mark in UTF-8. */
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  /** UTF-8, or of a text a byte for each character, which is that character if it is ASCII. */
  private final byte[] bytes;

  private final @Nullable String text;
  private final JsonCodec.Reading reading;
  private final Names names = new Names();
  private int at;
  private @Nullable Open open;

  /** A container that has not been closed yet; exactly one of map and list is there. */
  private static final class Open {
    final @Nullable Map<String, @Nullable Object> map;
    final @Nullable List<@Nullable Object> list;
    final @Nullable Open outer;
    final int depth;

    Open(
        @Nullable Map<String, @Nullable Object> map,
        @Nullable List<@Nullable Object> list,
        @Nullable Open outer) {
      this.map = map;
      this.list = list;
      this.outer = outer;
      this.depth = outer == null ? 1 : outer.depth + 1;
    }

    boolean isEmpty() {
      return map == null ? list != null && list.isEmpty() : map.isEmpty();
    }
  }

  private JsonReader(byte[] bytes, @Nullable String text, JsonCodec.Reading reading) {
    this.bytes = bytes;
    this.text = text;
    this.reading = reading;
    this.at = text == null && beginsWithMark(bytes) ? MARK.length : 0;
  }

  private static boolean beginsWithMark(byte[] utf8) {
    return utf8.length >= MARK.length && Arrays.equals(utf8, 0, MARK.length, MARK, 0, MARK.length);
  }

  /**
   * Reads a text in UTF-8, which a byte order mark may lead.
   *
   * @throws IllegalArgumentException if it is no JSON; the message names line and column
   */
  static @Nullable Object read(byte[] utf8, JsonCodec.Reading reading) {
    return new JsonReader(utf8, null, reading).read();
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if it is no JSON; the message names line and column
   */
  static @Nullable Object read(String text, JsonCodec.Reading reading) {
    return new JsonReader(bytes(text), text, reading).read();
  }

  private static byte[] bytes(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    if (bytes.length < text.length()) { // a pair of surrogates has become one question mark
      bytes = new byte[text.length()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (text.charAt(i) < 0x80 ? text.charAt(i) : '?');
      }
    }
    return bytes;
  }

  /** Reads the whole text, without recursion. */
  private @Nullable Object read() {
    Object whole = value();
    for (Open inner = open; inner != null; inner = open) {
      advance(inner);
    }
    skipSpace();
    if (at < bytes.length) {
      throw unexpected();
    }
    return whole;
  }

  /** Reads the next entry of a container, or its end. */
  private void advance(Open inner) {
    skipSpace();
    if (peek() == (inner.map == null ? ']' : '}')) {
      at++;
      open = inner.outer;
      return;
    }
    if (!inner.isEmpty()) {
      expect(',');
    }
    if (inner.map != null) {
      String name = name();
      inner.map.put(name, value());
    } else if (inner.list != null) {
      inner.list.add(value());
    }
  }

  private String name() {
    skipSpace();
    if (peek() != '"') {
      throw unexpected();
    }
    int start = at + 1;
    String name = endsPlainly(start) ? names.name(start, at++) : escapedString(start);
    skipSpace();
    expect(':');
    return name;
  }

  /** Reads a value; of a container only its beginning. */
  private @Nullable Object value() {
    skipSpace();
    return switch (peek()) {
      case '{' -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        enter(map, null);
        yield map;
      }
      case '[' -> {
        List<@Nullable Object> list = new ArrayList<>();
        enter(null, list);
        yield list;
      }
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private void enter(
      @Nullable Map<String, @Nullable Object> map, @Nullable List<@Nullable Object> list) {
    open = new Open(map, list, open);
    if (open.depth > reading.depth()) {
      throw failure("more than " + reading.depth() + " levels");
    }
    at++;
  }

  private void expect(char c) {
    if (peek() != c) {
      throw unexpected();
    }
    at++;
  }

  private String string() {
    int start = at + 1;
    return endsPlainly(start) ? part(start, at++) : escapedString(start);
  }

  /**
   * Moves to what ends a text, and tells whether that is a quote, and not an escape or an error.
   */
  private boolean endsPlainly(int start) {
    // Local variables: BodyBench.jsonByTheCodec.
    byte[] all = bytes;
    int i = start;
    int c = 0;
    while (i < all.length && (c = all[i] & 0xFF) != '"' && c != '\\' && c >= ' ') {
      i++;
    }
    at = i;
    return i < all.length && c == '"';
  }

  private String escapedString(int start) {
    StringBuilder value = new StringBuilder().append(part(start, at));
    while (peek() == '\\') {
      at++;
      value.append(escape());
      int next = at;
      boolean ends = endsPlainly(next);
      value.append(part(next, at));
      if (ends) {
        at++;
        return value.toString();
      }
    }
    throw unexpected();
  }

  /** Returns characters within quotes. */
  private String part(int start, int end) {
    if (text != null) {
      return text.substring(start, end);
    }
    String part = new String(bytes, start, end - start, StandardCharsets.UTF_8);
    // What stands before is ASCII, so that no mark is dropped.
    return part.indexOf('\uFFFD') < 0
        ? part
        : Utf8.text(Arrays.copyOfRange(bytes, start - 1, end)).substring(1);
  }

  private char escape() {
    int c = peek();
    int simple = "\"\\/bfnrt".indexOf(c);
    if (simple >= 0) {
      at++;
      return "\"\\/\b\f\n\r\t".charAt(simple);
    }
    if (c != 'u') {
      throw unexpected();
    }
    at++;
    int unit = 0;
    for (int i = 0; i < 4; i++) {
      int digit = hex(peek());
      if (digit < 0) {
        throw unexpected();
      }
      unit = unit * 16 + digit;
      at++;
    }
    return (char) unit;
  }

  private static int hex(int c) {
    // Character.digit would take the digits of other scripts, too.
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    for (int i = 0; i < word.length(); i++) {
      if (peek() != word.charAt(i)) {
        throw unexpected();
      }
      at++;
    }
    return value;
  }

  private Number number() {
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
    return reading.exactNumbers()
        ? exact(part(start, at), whole)
        : NumberText.read(bytes, start, at);
  }

  private Number exact(String number, boolean whole) {
    Number exact = NumberText.readExactly(number, whole);
    if (exact == null) {
      throw failure("a number of too many digits");
    }
    return exact;
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

  /** Returns the next byte; at the end one that nothing begins with or goes on with. */
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
    int length = Math.min(4, bytes.length - at); // no character has more bytes
    return new String(bytes, at, length, StandardCharsets.UTF_8).charAt(0);
  }

  /** Returns an error for where the reader stands, counted by characters. */
  private IllegalArgumentException failure(String what) {
    String before = text == null ? Utf8.text(Arrays.copyOf(bytes, at)) : text.substring(0, at);
    long line = 1 + before.chars().filter(c -> c == '\n').count();
    int column = before.length() - before.lastIndexOf('\n');
    return new IllegalArgumentException(
        "JSON: " + what + " at line " + line + ", column " + column);
  }

  /**
   * Keeps some names of one text, since most texts have the same ones again and again.
   *
   * <p>Each name has one place, which the last one takes: names made to meet cost no more than
   * without this.
   */
  private final class Names {

    private static final int PLACES = 64;

    private @Nullable String @Nullable [] places;
    private int[] starts = {};

    /** Returns a name that ends plainly. */
    String name(int start, int end) {
      int length = end - start;
      if (length == 0) {
        return "";
      }
      if (places == null) {
        places = new String[PLACES];
        starts = new int[PLACES];
      }
      int mix = (31 * bytes[start] + bytes[end - 1]) * 31 + length;
      int place = (mix ^ (mix >>> 6)) & (PLACES - 1);
      String known = places[place];
      int before = starts[place];
      if (known != null
          && bytes[before + length] == '"'
          && Arrays.equals(bytes, before, before + length, bytes, start, end)
          && (text == null || text.startsWith(known, start))) {
        return known;
      }
      String name = part(start, end);
      places[place] = name;
      starts[place] = start;
      return name;
    }
  }
}
