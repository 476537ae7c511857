package dev.percolate.json;

import dev.percolate.core.InputFaults;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.JsonDocument;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes JSON (RFC 8259); {@link JsonCodec#find} gives the one of this process.
 *
 * <p>Reading to plain values gives {@link java.util.LinkedHashMap}, {@link java.util.ArrayList},
 * {@link String}, {@link Boolean}, null and numbers. A number counts by its value as a double, as
 * in JavaScript: if that is whole and at most 2<sup>53</sup> in size it is an {@link Integer} or
 * {@link Long} (so {@code 1.0} and {@code 1e0} are 1, and {@code -0} is 0), else a {@link Double},
 * infinite beyond the range; {@link JsonCodec.Reading} can ask for all digits. Of equal names the
 * last value counts, at the place of the first. Reading needs no stack, however deep the text
 * nests; {@link JsonCodec.Reading} can limit the depth.
 *
 * <p>Reading to a type is Jackson's: records, beans and types of the JDK, numbers straight from the
 * text. Names that the type does not have are ignored, primitives that the text does not have are 0
 * or false, a number with a fraction does not become a whole one, and no class is ever chosen by
 * the text. Types that nest deeper than 500 levels are refused. A constructor refuses a value by an
 * {@link IllegalArgumentException} or by {@link java.util.Objects#requireNonNull}; what else it
 * throws, and a class that Jackson cannot make, is an {@link IllegalStateException} that names the
 * class, since no client can do anything about it.
 *
 * <p>JSON of clients is read by stricter rules ({@link JsonDocument#read}): a component of a record
 * is required, unless it has {@code @JsonProperty(isRequired = OptBoolean.FALSE)}; a value must
 * have the JSON type that its Java type is written as, so a number is not read as a string, nor a
 * string as a number. Values of type {@link Object} and trees nest as deep as the text.
 *
 * <p>Writing gives the text of {@code JSON.stringify}: numbers as ECMAScript prints doubles, but
 * {@link Long}, {@link java.math.BigInteger} and {@link java.math.BigDecimal} by all their digits;
 * not-a-number and infinity as {@code null}; {@link java.util.Date} and {@link java.time.Instant}
 * in UTC with milliseconds; what is no plain value as Jackson sees it, its properties in the order
 * of declaration. {@link JsonCodec#ABSENT} leaves an entry of a map out, is {@code null} in a list,
 * and as the whole gives the empty text. Values that hold themselves are refused, those of types
 * that nest deeper than 500 levels, and indented text deeper than 2000 levels.
 */
public final class JacksonCodec implements JsonCodec {

  private final TypedValues types;

  /**
   * A parsed text.
   *
   * @param tape its tokens
   * @param exactNumbers whether numbers of plain values keep all their digits
   * @param types reads types
   */
  private record Parsed(JsonTape tape, boolean exactNumbers, TypedValues types)
      implements JsonDocument {

    @Override
    public @Nullable Object value() {
      return PlainValues.of(tape, exactNumbers);
    }

    @Override
    public @Nullable Object read(Type type, InputFaults faults) {
      try {
        return types.read(tape, type, faults);
      } catch (LinkageError e) {
        throw OldAnnotations.explained(e);
      }
    }

    @Override
    public String text() {
      return tape.text();
    }
  }

  /** Creates a codec; it may be shared by all threads. */
  public JacksonCodec() {
    this(TypedValues.STANDARD);
  }

  private JacksonCodec(TypedValues types) {
    this.types = types;
  }

  /**
   * Creates a codec that reads and writes types as a mapper does, with all its switches, modules,
   * names, and formats of dates; for one application or for the process:
   *
   * <pre>{@code
   * JsonMapper mapper = JsonMapper.builder()
   *     .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
   *     .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
   *     .build();
   * app.set(Settings.JSON_CODEC, JacksonCodec.of(mapper));
   * }</pre>
   *
   * <p>Maps, lists, texts, numbers, booleans and null are read and written as above, as are the
   * signs of what the mapper makes of a type: {@code json spaces}, {@code json replacer} and {@code
   * json escape} hold for it, and its doubles have the digits of {@code JSON.stringify}.
   *
   * @param mapper reads and writes what is no plain value; it is not changed
   * @return a codec that may be shared by all threads
   */
  public static JacksonCodec of(JsonMapper mapper) {
    return new JacksonCodec(TypedValues.of(mapper));
  }

  /** Returns the mapper that writes types; another may read them, with the same names. */
  public JsonMapper mapper() {
    return types.writer();
  }

  /**
   * Returns the properties that {@link JsonDocument#read} reads objects of a type from. An OpenAPI
   * document made from it agrees with the reader.
   *
   * @param type the type
   * @param lenient the value of {@link dev.percolate.core.Settings#JSON_LENIENT}
   * @return null if values of the type are not objects with properties, or cannot be read
   */
  public @Nullable ReadObject reading(JavaType type, boolean lenient) {
    return types.reading(type, lenient);
  }

  @Override
  public @Nullable Object read(String text, Reading reading) {
    return parse(text, reading).value();
  }

  @Override
  public @Nullable Object read(byte[] utf8, Reading reading) {
    return parse(utf8, reading).value();
  }

  @Override
  public JsonDocument parse(String text, Reading reading) {
    return new Parsed(JsonScanner.scan(text, reading), reading.exactNumbers(), types);
  }

  @Override
  public JsonDocument parse(byte[] utf8, Reading reading) {
    return new Parsed(JsonScanner.scan(utf8, reading), reading.exactNumbers(), types);
  }

  @Override
  public @Nullable Object read(String text, Type type) {
    try {
      return types.read(text, type);
    } catch (LinkageError e) {
      throw OldAnnotations.explained(e);
    }
  }

  @Override
  public @Nullable Object read(String text, Type type, InputFaults faults) {
    return parse(text, Reading.PLAIN).read(type, faults);
  }

  @Override
  public @Nullable Object read(byte[] utf8, Type type) {
    Object value = types.readBytes(utf8, type);
    return value == ABSENT ? JsonCodec.super.read(utf8, type) : value;
  }

  @Override
  public String write(@Nullable Object value, Style style) {
    return text(value, style).toString();
  }

  @Override
  public byte[] writeBytes(@Nullable Object value, Style style) {
    return text(value, style).toBytes();
  }

  private JsonText text(@Nullable Object value, Style style) {
    try {
      return new JsonWriter(style, types).write(value);
    } catch (LinkageError e) {
      throw OldAnnotations.explained(e);
    }
  }
}
