package dev.percolate.json;

import dev.percolate.http.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a JSON text, which is parsed once, no matter how often it is read.
 *
 * <p>A token consists of two numbers and is identified by the index of the first. The index of the
 * next token is greater by {@link #SIZE}.
 *
 * <pre>
 *   {, [          position; index of the token that closes it
 *   }, ]          position; number of entries
 *   name, string  its quote; the closing quote, complemented if there are escapes
 *   number        position; end, complemented if it has a fraction or an exponent
 *   word          position; end
 * </pre>
 */
final class JsonTape {

  /** The number of integers per token. */
  static final int SIZE = 2;

  private static final String ESCAPES = "\"\\/bfnrt";
  private static final String ESCAPED = "\"\\/\b\f\n\r\t";

  private final byte[] bytes;
  private final @Nullable String text;
  private final int[] tokens;
  private final int end;

  /**
   * Creates a tape.
   *
   * @param bytes UTF-8, or one byte for each character of the text, equal to the character if it is
   *     ASCII
   * @param text the text; null if the bytes are UTF-8
   * @param tokens the tokens of valid JSON
   * @param end the index after the last token
   */
  JsonTape(byte[] bytes, @Nullable String text, int[] tokens, int end) {
    this.bytes = bytes;
    this.text = text;
    this.tokens = tokens;
    this.end = end;
  }

  /** Returns the index after the last token. */
  int end() {
    return end;
  }

  /** Returns the whole text. */
  String text() {
    return text == null ? Utf8.text(bytes) : text;
  }

  /** Returns the first character of a token, which is always ASCII. */
  byte first(int token) {
    return bytes[tokens[token]];
  }

  int position(int token) {
    return tokens[token];
  }

  /** Returns the token that closes an object or an array. */
  int close(int token) {
    return tokens[token + 1];
  }

  /** Returns the number of entries of an object or array. */
  int entries(int close) {
    return tokens[close + 1];
  }

  /** Returns the token after a value. */
  int after(int token) {
    byte first = first(token);
    return (first == '{' || first == '[' ? close(token) : token) + SIZE;
  }

  /** Returns the name of an entry. */
  String name(int token) {
    int start = tokens[token] + 1;
    int end = tokens[token + 1];
    if (end < 0 || text != null) {
      return string(token);
    }
    String known = NameCache.find(bytes, start, end);
    return known == null ? NameCache.keep(part(start, end), bytes, start, end) : known;
  }

  /** Returns a string, without quotes and with escapes decoded. */
  String string(int token) {
    int start = tokens[token] + 1;
    int end = tokens[token + 1];
    return end >= 0 ? part(start, end) : unescaped(start, ~end);
  }

  /** Returns true if a number has neither a fraction nor an exponent. */
  boolean isWhole(int token) {
    return tokens[token + 1] >= 0;
  }

  /** Returns the text of a number. */
  String number(int token) {
    int start = tokens[token];
    int length = numberEnd(token) - start;
    return new String(bytes, start, length, StandardCharsets.ISO_8859_1);
  }

  /** Returns a number read as a double. */
  Number plainNumber(int token) {
    return NumberText.read(bytes, tokens[token], numberEnd(token));
  }

  /** Returns the number of digits of an integer. */
  int digits(int token) {
    int length = tokens[token + 1] - tokens[token];
    return first(token) == '-' ? length - 1 : length;
  }

  /** Returns an integer of at most 18 digits. */
  long smallNumber(int token) {
    boolean negative = first(token) == '-';
    long value = 0;
    for (int i = tokens[token] + (negative ? 1 : 0); i < tokens[token + 1]; i++) {
      value = 10 * value + bytes[i] - '0';
    }
    return negative ? -value : value;
  }

  /** Returns the line and column of a token. */
  TextPosition place(int token) {
    return TextPosition.of(bytes, text, tokens[token]);
  }

  private int numberEnd(int token) {
    int end = tokens[token + 1];
    return end < 0 ? ~end : end;
  }

  /** Decodes characters inside a string. */
  private String part(int start, int end) {
    if (text != null) {
      return text.substring(start, end);
    }
    String part = new String(bytes, start, end - start, StandardCharsets.UTF_8);
    // If a byte was invalid, decode with the byte before, so that no byte order mark is dropped.
    return part.indexOf('\uFFFD') < 0
        ? part
        : Utf8.text(Arrays.copyOfRange(bytes, start - 1, end)).substring(1);
  }

  private String unescaped(int start, int end) {
    StringBuilder value = new StringBuilder(end - start);
    int from = start;
    int i = start;
    while (i < end) {
      if (bytes[i] != '\\') {
        i++;
        continue;
      }
      value.append(part(from, i));
      int simple = ESCAPES.indexOf(bytes[i + 1]);
      if (simple >= 0) {
        value.append(ESCAPED.charAt(simple));
        i += 2;
      } else { // u and four hexadecimal digits
        value.append((char) unit(i + 2));
        i += 6;
      }
      from = i;
    }
    return value.append(part(from, end)).toString();
  }

  private int unit(int start) {
    int unit = 0;
    for (int i = start; i < start + 4; i++) {
      unit = 16 * unit + Character.digit(bytes[i], 16);
    }
    return unit;
  }

  /**
   * A cache of short names, because most JSON texts repeat the same names.
   *
   * <p>Each name has one slot, which the most recent name occupies, so colliding names cost no more
   * than without the cache. All threads share it and may overwrite each other's names.
   */
  private static final class NameCache {

    private static final int PLACES = 1 << 10;
    private static final int LONGEST = 40;

    private static final @Nullable String[] NAMES = new @Nullable String[PLACES];

    private NameCache() {}

    /**
     * Returns a cached name; null if it is not cached.
     *
     * @param bytes a text in UTF-8
     * @param start the index of the name's first byte
     * @param end the index after its last byte
     */
    static @Nullable String find(byte[] bytes, int start, int end) {
      int length = end - start;
      if (length == 0 || length > LONGEST) {
        return null;
      }
      String known = NAMES[place(bytes, start, end)];
      if (known == null || known.length() != length) {
        return null;
      }
      for (int i = 0; i < length; i++) {
        if (known.charAt(i) != bytes[start + i]) { // bytes outside ASCII are negative
          return null;
        }
      }
      return known;
    }

    /** Caches and returns a name that was read from these bytes. */
    static String keep(String name, byte[] bytes, int start, int end) {
      if (end > start && name.length() <= LONGEST) {
        NAMES[place(bytes, start, end)] = name;
      }
      return name;
    }

    private static int place(byte[] bytes, int start, int end) {
      int mix = bytes[start];
      mix = 31 * mix + bytes[(start + end) >>> 1];
      mix = 31 * mix + bytes[end - 1];
      mix = 31 * mix + end - start;
      return (mix ^ (mix >>> 10)) & (PLACES - 1);
    }
  }

  /**
   * Creates maps, lists, strings, numbers, booleans and null from a tape. Does not recurse, since
   * clients choose how deep JSON nests.
   */
  static final class PlainValues {

    private final JsonTape tape;
    private final boolean exactNumbers;
    private int token;
    private @Nullable Open open;

    /** An incomplete container. Either the map or the list is null. */
    private record Open(
        @Nullable Map<String, @Nullable Object> map,
        @Nullable List<@Nullable Object> list,
        int close,
        @Nullable Open outer) {}

    private PlainValues(JsonTape tape, boolean exactNumbers) {
      this.tape = tape;
      this.exactNumbers = exactNumbers;
    }

    /**
     * Returns the whole value.
     *
     * @param exactNumbers whether numbers keep all their digits; the scanner has limited their
     *     length
     */
    static @Nullable Object of(JsonTape tape, boolean exactNumbers) {
      PlainValues values = new PlainValues(tape, exactNumbers);
      Object whole = values.next();
      for (Open inner = values.open; inner != null; inner = values.open) {
        values.fill(inner);
      }
      return whole;
    }

    /** Adds entries up to the first container, which becomes the open one. */
    @SuppressWarnings("ReferenceEquality") // two containers may be equal
    private void fill(Open inner) {
      Map<String, @Nullable Object> map = inner.map;
      List<@Nullable Object> list = inner.list;
      while (token < inner.close) {
        if (map != null) {
          String name = tape.name(token);
          token += JsonTape.SIZE;
          map.put(name, next());
        } else if (list != null) {
          list.add(next());
        }
        if (open != inner) {
          return;
        }
      }
      token = inner.close + JsonTape.SIZE;
      open = inner.outer;
    }

    /** Returns the next value; of a container only its beginning. */
    private @Nullable Object next() {
      int current = token;
      token = current + JsonTape.SIZE;
      return switch (tape.first(current)) {
        case '{' -> {
          int close = tape.close(current);
          Map<String, @Nullable Object> map = new LinkedHashMap<>(capacity(tape.entries(close)));
          open = new Open(map, null, close, open);
          yield map;
        }
        case '[' -> {
          int close = tape.close(current);
          List<@Nullable Object> list = new ArrayList<>(tape.entries(close));
          open = new Open(null, list, close, open);
          yield list;
        }
        case '"' -> tape.string(current);
        case 't' -> true;
        case 'f' -> false;
        case 'n' -> null;
        default -> number(current);
      };
    }

    private @Nullable Number number(int current) {
      return exactNumbers
          ? NumberText.readExactly(tape.number(current), tape.isWhole(current))
          : tape.plainNumber(current);
    }

    /** Returns the capacity of a map that can hold this many entries without growing. */
    private static int capacity(int entries) {
      return (4 * entries + 2) / 3;
    }
  }
}
