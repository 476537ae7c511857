package dev.percolate.parsers;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.JsonDocument;
import dev.percolate.core.Request;
import dev.percolate.http.BodyErrors;
import dev.percolate.http.Charsets;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.MediaType;
import dev.percolate.http.Utf8;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Parses JSON: {@code req.body()} is a map, list, text, number, boolean or null, an empty map for
 * an empty body; {@link Request#body(Class)} reads the same text to a type.
 *
 * <p>Besides the options of {@link BodyParser} it has:
 *
 * <pre>
 *   strict          true     whether only objects and arrays are taken
 *   reviver         none     changes values after parsing
 *   exactNumbers    false    whether numbers keep all their digits
 *   depth           any      how many levels may nest
 *   defaultCharset  utf-8    of bodies that name none
 * </pre>
 *
 * <p>Its type is {@code application/json}, its charsets those of Unicode. What is no JSON (RFC
 * 8259) is an error 400 {@code entity.parse.failed} that tells line and column.
 */
@CheckReturnValue
public final class JsonParser extends BodyParser<JsonParser> {

  /** What one byte of JSON takes at most: a list within a list, of two bytes, has 88. */
  private static final long MOST_WEIGHT = 48;

  /** The bytes, and their text of two bytes a character. */
  private static final int TEXT_WEIGHT = 3;

  private static final int LIST_WEIGHT = 88;
  private static final int MAP_WEIGHT = 152;
  private static final int VALUE_WEIGHT = 56;
  private static final int ENTRY_WEIGHT = 96;

  private boolean strict = true;
  private JsonCodec.@Nullable Replacer reviver;
  private JsonCodec.Reading reading = JsonCodec.Reading.PLAIN;
  private String defaultCharset = "utf-8";

  JsonParser() {
    super("application/json");
  }

  /**
   * Chooses whether only objects and arrays are taken.
   *
   * @param strict false to take any value
   */
  public JsonParser strict(boolean strict) {
    return with(copy -> copy.strict = strict);
  }

  /**
   * Changes values after parsing, from inside to outside: first those of a container in their
   * order, under their name or index, then itself; the whole has the empty name. Typed reading of
   * the body does not see the changes.
   *
   * @param reviver gives the value to take instead, {@link JsonCodec#ABSENT} for none: it removes
   *     an entry of a map, and is null in a list. What it throws is an error 400. Null for no
   *     reviver
   */
  public JsonParser reviver(JsonCodec.@Nullable Replacer reviver) {
    return with(copy -> copy.reviver = reviver);
  }

  /**
   * Chooses whether numbers of {@code req.body()} keep all their digits. Whole ones are then {@link
   * Integer}, {@link Long} or {@link java.math.BigInteger}, others {@link java.math.BigDecimal};
   * those of more than 1000 digits, or with an exponent beyond 1000, are refused. Otherwise numbers
   * count by their value as doubles. Typed reading goes from the text in any case.
   *
   * @param exactNumbers true to keep them
   */
  public JsonParser exactNumbers(boolean exactNumbers) {
    return with(copy -> copy.reading = new JsonCodec.Reading(reading.depth(), exactNumbers));
  }

  /**
   * Limits how many objects and arrays nest. By default only the size of the body limits that, as
   * reading needs no stack. Set a limit if handlers walk {@code req.body()} by recursion, as {@code
   * toString} and {@code equals} do.
   *
   * @param levels at least 1
   * @throws IllegalArgumentException if it is less
   */
  public JsonParser depth(int levels) {
    return with(copy -> copy.reading = new JsonCodec.Reading(levels, reading.exactNumbers()));
  }

  /**
   * Chooses the charset of bodies that name none.
   *
   * @param charset the name of UTF-8, UTF-16 or UTF-32; otherwise such requests get a 415
   */
  public JsonParser defaultCharset(String charset) {
    return with(copy -> copy.defaultCharset = charset);
  }

  @Override
  protected String charset(MediaType type) {
    return charset(
        type, defaultCharset, charset -> readsExactly(charset) || Charsets.isUnicode(charset));
  }

  @Override
  boolean readsExactly(String charset) {
    return charset.startsWith("utf-");
  }

  @Override
  protected long weight(ByteBuffer body, boolean exact) {
    return exact ? weight(body) : MOST_WEIGHT * body.remaining();
  }

  @Override
  protected void parse(Request req, byte[] bytes, String text, @Nullable String charset) {
    JsonCodec codec = req.settings().jsonCodec();
    if (text.isEmpty()) {
      req.body(codec.parse("{}", JsonCodec.Reading.PLAIN));
      return;
    }
    if (strict && beginsScalar(text)) {
      throw BodyErrors.unparsable("JSON: neither an object nor an array", text, null);
    }
    parse(req, () -> codec.parse(text, reading), () -> text);
  }

  @Override
  void parse(
      Request req,
      byte[] bytes,
      @Nullable Function<byte[], String> decoder,
      @Nullable String charset) {
    // Bytes on the request may be changed before the body is read.
    if (keepRaw || !"utf-8".equals(charset) || !beginsContainer(bytes)) {
      super.parse(req, bytes, decoder, charset);
      return;
    }
    JsonCodec codec = req.settings().jsonCodec();
    parse(req, () -> codec.parse(bytes, reading), () -> Utf8.text(bytes));
  }

  /** Parses a text and sets the body; of a reviver's result at once, as it may refuse it. */
  private void parse(Request req, Supplier<JsonDocument> parsing, Supplier<String> text) {
    try {
      JsonDocument json = parsing.get();
      if (reviver == null) {
        req.body(json);
      } else {
        Object value = Revival.of(json.value(), reviver);
        req.body(value == JsonCodec.ABSENT ? null : value, json);
      }
    } catch (RuntimeException e) {
      throw BodyErrors.unparsable(e.getMessage(), text.get(), e);
    }
  }

  /**
   * Estimates from the bytes of a text, before it is parsed, what its lists, maps and texts take in
   * memory: from above, as every sign counts that may begin a value, also within texts.
   */
  static long weight(ByteBuffer body) {
    long weight = (long) TEXT_WEIGHT * body.remaining() + VALUE_WEIGHT;
    for (int i = body.position(); i < body.limit(); i++) {
      weight +=
          switch (body.get(i)) {
            case '[' -> LIST_WEIGHT;
            case '{' -> MAP_WEIGHT;
            case ',' -> VALUE_WEIGHT;
            case ':' -> ENTRY_WEIGHT;
            default -> 0;
          };
    }
    return weight;
  }

  /** Tells whether an object or an array begins; not of what begins with a byte order mark. */
  private static boolean beginsContainer(byte[] utf8) {
    int i = 0;
    while (i < utf8.length && " \t\n\r".indexOf(utf8[i]) >= 0) {
      i++;
    }
    return i < utf8.length && (utf8[i] == '{' || utf8[i] == '[');
  }

  /** Tells whether there is anything, and it begins neither an object nor an array. */
  private static boolean beginsScalar(String text) {
    int i = 0;
    while (i < text.length() && " \t\n\r".indexOf(text.charAt(i)) >= 0) {
      i++;
    }
    return i < text.length() && text.charAt(i) != '{' && text.charAt(i) != '[';
  }
}
