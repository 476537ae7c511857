package dev.percolate.parsers;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.JsonDocument;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
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
 * Parses JSON. {@code req.body()} is a map, list, string, number, boolean or null. An empty body
 * becomes an empty map. {@link Request#body(Class)} converts the body to a type.
 *
 * <p>Options besides those of {@link BodyParser}:
 *
 * <pre>
 *   strict          true      whether to accept only objects and arrays
 *   reviver         none      changes values after parsing
 *   exactNumbers    false     whether numbers keep all their digits
 *   depth           no limit  the maximum nesting of objects and arrays
 *   defaultCharset  utf-8     the charset of bodies that name none
 * </pre>
 *
 * <p>It parses {@code application/json} in UTF-8, UTF-16 or UTF-32. Invalid JSON (RFC 8259) is a
 * 400 error {@code entity.parse.failed} with line and column.
 */
@CheckReturnValue
public final class JsonParser extends BodyParser<JsonParser> {

  /** The maximum memory per byte of JSON: a nested list has two bytes and takes 88. */
  private static final long MOST_WEIGHT = 48;

  /**
   * The memory per byte of JSON for the bytes and their text, which has two bytes per character.
   */
  private static final int TEXT_WEIGHT = 3;

  private static final int LIST_WEIGHT = 88;
  private static final int MAP_WEIGHT = 152;
  private static final int VALUE_WEIGHT = 56;
  private static final int ENTRY_WEIGHT = 96;

  private boolean strict = true;
  private JsonCodec.@Nullable Replacer reviver;
  private JsonCodec.ReadOptions reading = JsonCodec.ReadOptions.DEFAULT;
  private String defaultCharset = "utf-8";

  JsonParser() {
    super("application/json");
  }

  /**
   * Sets whether to accept only objects and arrays. Default: true.
   *
   * @param strict false to accept any value
   */
  public JsonParser strict(boolean strict) {
    return with(copy -> copy.strict = strict);
  }

  /**
   * Changes values after parsing, innermost first. The elements of a map or list come first, with
   * their name or index, then the map or list itself. The outermost value has an empty name.
   * Conversion to a type ignores the changes.
   *
   * @param reviver returns the new value. {@link JsonCodec#ABSENT} removes an entry of a map and
   *     becomes null in a list. Exceptions become a 400 error. Null for no reviver
   */
  public JsonParser reviver(JsonCodec.@Nullable Replacer reviver) {
    return with(copy -> copy.reviver = reviver);
  }

  /**
   * Sets whether numbers in {@code req.body()} keep all their digits. Integers are then {@link
   * Integer}, {@link Long} or {@link java.math.BigInteger}, and other numbers {@link
   * java.math.BigDecimal}. Numbers with more than 1000 digits or an exponent beyond 1000 are
   * rejected. Otherwise numbers have the precision of doubles. Conversion to a type always uses the
   * original text. Default: false.
   *
   * @param exactNumbers true to keep all digits
   */
  public JsonParser exactNumbers(boolean exactNumbers) {
    return with(copy -> copy.reading = new JsonCodec.ReadOptions(reading.depth(), exactNumbers));
  }

  /**
   * Sets the maximum nesting of objects and arrays. By default only the size of the body limits it,
   * since parsing does not recurse. Set a limit if handlers process {@code req.body()} recursively,
   * as {@code toString} and {@code equals} do.
   *
   * @param levels at least 1
   * @throws IllegalArgumentException if {@code levels} is less than 1
   */
  public JsonParser depth(int levels) {
    return with(copy -> copy.reading = new JsonCodec.ReadOptions(levels, reading.exactNumbers()));
  }

  /**
   * Sets the charset of bodies that name none. Default: {@code utf-8}.
   *
   * @param charset the name of UTF-8, UTF-16 or UTF-32; with any other name such bodies get a 415
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
      RequestControl.jsonBody(req, codec.parse("{}", JsonCodec.ReadOptions.DEFAULT));
      return;
    }
    if (strict && beginsScalar(text)) {
      throw BodyErrors.unparsable("JSON: must be an object or an array", text, null);
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
        RequestControl.jsonBody(req, json);
      } else {
        Object value = Reviver.of(json.value(), reviver);
        RequestControl.jsonBody(req, value == JsonCodec.ABSENT ? null : value, json);
      }
    } catch (RuntimeException e) {
      throw BodyErrors.unparsable(e.getMessage(), text.get(), e);
    }
  }

  /**
   * Estimates the memory that the parsed value of a text takes, before parsing. The estimate is an
   * upper bound: it counts every character that may begin a value, even within strings.
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

  /** Returns true if the text begins with an object or array, without a byte order mark. */
  private static boolean beginsContainer(byte[] utf8) {
    int i = 0;
    while (i < utf8.length && " \t\n\r".indexOf(utf8[i]) >= 0) {
      i++;
    }
    return i < utf8.length && (utf8[i] == '{' || utf8[i] == '[');
  }

  /** Returns true if the text begins with a value other than an object or array. */
  private static boolean beginsScalar(String text) {
    int i = 0;
    while (i < text.length() && " \t\n\r".indexOf(text.charAt(i)) >= 0) {
      i++;
    }
    return i < text.length() && text.charAt(i) != '{' && text.charAt(i) != '[';
  }
}
