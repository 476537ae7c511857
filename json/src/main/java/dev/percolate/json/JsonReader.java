package dev.percolate.json;

import dev.percolate.core.JsonCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads one JSON text, exactly by the grammar of RFC 8259, to plain values. */
final class JsonReader {

  /** Whole numbers of this many characters fit into an int. */
  private static final int SHORT_NUMBER = 9;

  private final String text;
  private final JsonCodec.Reading reading;
  private final Names names = new Names();
  private int at;
  private @Nullable Open open;

  /** A container that has not been closed yet; exactly one of map and list is there. */
  private record Open(
      @Nullable Map<String, @Nullable Object> map,
      @Nullable List<@Nullable Object> list,
      @Nullable Open outer,
      int depth) {

    boolean isEmpty() {
      return map == null ? list != null && list.isEmpty() : map.isEmpty();
    }
  }

  JsonReader(String text, JsonCodec.Reading reading) {
    this.text = text;
    this.reading = reading;
  }

  /**
   * Reads the whole text, without recursion.
   *
   * @throws IllegalArgumentException if it is no JSON; the message names line and column
   */
  @Nullable Object read() {
    Object whole = value();
    for (Open inner = open; inner != null; inner = open) {
      advance(inner);
    }
    skipSpace();
    if (at < text.length()) {
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
    String name = endsPlainly(start) ? names.name(text, start, at++) : escapedString(start);
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
    int depth = open == null ? 1 : open.depth + 1;
    // Values are walked by recursion elsewhere, which must not overflow a stack.
    if (depth > reading.depth()) {
      throw failure("more than " + reading.depth() + " levels");
    }
    open = new Open(map, list, open, depth);
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
    return endsPlainly(start) ? text.substring(start, at++) : escapedString(start);
  }

  /**
   * Moves to what ends a text, and tells whether that is a quote, and not an escape or an error.
   */
  private boolean endsPlainly(int start) {
    // A local variable: BodyBench.jsonByTheCodec.
    int i = start;
    char c = ' ';
    while (i < text.length() && (c = text.charAt(i)) != '"' && c != '\\' && c >= ' ') {
      i++;
    }
    at = i;
    return i < text.length() && c == '"';
  }

  private String escapedString(int start) {
    StringBuilder value = new StringBuilder().append(text, start, at);
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c < ' ') {
        break;
      }
      at++;
      if (c == '"') {
        return value.toString();
      }
      value.append(c == '\\' ? escape() : c);
    }
    throw unexpected();
  }

  private char escape() {
    char c = peek();
    int simple = "\"\\/bfnrt".indexOf(c);
    if (at < text.length() && simple >= 0) {
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

  private static int hex(char c) {
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
    if (whole && at - start <= SHORT_NUMBER) {
      return Integer.parseInt(text, start, at, 10);
    }
    return reading.exactNumbers()
        ? exact(text.substring(start, at), whole)
        : NumberText.read(text, start, at);
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
    for (char c = peek();
        c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t');
        c = peek()) {
      at++;
    }
  }

  /** Returns the next character; at the end one that nothing begins with or goes on with. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : '\uffff';
  }

  private IllegalArgumentException unexpected() {
    if (at >= text.length()) {
      return failure("unexpected end of text");
    }
    char c = text.charAt(at);
    boolean plain = c > ' ' && c < 0x7F;
    return failure(
        plain
            ? "unexpected '" + c + "'"
            : String.format(Locale.ROOT, "unexpected U+%04X", (int) c));
  }

  private IllegalArgumentException failure(String what) {
    int line = 1;
    int lineStart = 0;
    int end = Math.min(at, text.length());
    for (int i = text.indexOf('\n'); i >= 0 && i < end; i = text.indexOf('\n', i + 1)) {
      line++;
      lineStart = i + 1;
    }
    int column = end - lineStart + 1;
    return new IllegalArgumentException(
        "JSON: " + what + " at line " + line + ", column " + column);
  }

  /**
   * Keeps some names of one text, since most texts have the same ones again and again.
   *
   * <p>Each name has one place, which the last one takes: names made to meet cost no more than
   * without this.
   */
  private static final class Names {

    private static final int PLACES = 64;

    private @Nullable String @Nullable [] places;

    /** Returns a part of a text. */
    String name(String text, int start, int end) {
      int length = end - start;
      if (length == 0) {
        return "";
      }
      if (places == null) {
        places = new String[PLACES];
      }
      int mix = (31 * text.charAt(start) + text.charAt(end - 1)) * 31 + length;
      int place = (mix ^ (mix >>> 6)) & (PLACES - 1);
      String known = places[place];
      if (known != null && known.length() == length && text.startsWith(known, start)) {
        return known;
      }
      String name = text.substring(start, end);
      places[place] = name;
      return name;
    }
  }
}
