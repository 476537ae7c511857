package dev.percolate.json;

import dev.percolate.core.InputErrors;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.JsonDocument;
import dev.percolate.core.Validation;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes JSON (RFC 8259): plain values with its own code, other types with Jackson 3.
 * {@link JsonCodec#find} returns the codec of this process.
 *
 * <p>Reading plain values returns {@link java.util.LinkedHashMap}, {@link java.util.ArrayList},
 * {@link String}, {@link Boolean}, null and numbers. As in JavaScript, a number is read as a
 * double. If its value is whole and at most 2<sup>53</sup> in size, it is returned as {@link
 * Integer} or {@link Long}: {@code 1.0} and {@code 1e0} are 1, and {@code -0} is 0. Other numbers
 * are {@link Double}, infinite beyond its range. {@link JsonCodec.ReadOptions} can preserve all
 * digits. If a name occurs more than once, the last value is used, at the position of the first.
 * Reading does not recurse, however deep the JSON nests; {@link JsonCodec.ReadOptions} can limit
 * the depth.
 *
 * <p>Jackson reads types: records, beans and types of the JDK. Numbers are read directly from the
 * JSON. Unknown names are ignored, absent primitives are 0 or false, a number with a fraction is
 * not read as an integer, and the JSON never chooses a class. Types that nest deeper than 500
 * levels are rejected. A constructor rejects a value with an {@link IllegalArgumentException} or
 * with {@link java.util.Objects#requireNonNull}. Other exceptions, and classes that Jackson cannot
 * create, cause an {@link IllegalStateException} that names the class, since clients cannot correct
 * them. Kotlin classes are read if {@code tools.jackson.module:jackson-module-kotlin} is on the
 * class path.
 *
 * <p>JSON of clients is read by stricter rules ({@link JsonDocument#read}): record components are
 * required, unless they have {@code @JsonProperty(isRequired = OptBoolean.FALSE)}. A value must
 * have the JSON type that its Java type is written as, so a number is not read as a string, nor a
 * string as a number. Values of type {@link Object} and trees may nest to any depth.
 *
 * <p>Writing produces the text of {@code JSON.stringify}. Numbers are written as in JavaScript, but
 * {@link Long}, {@link java.math.BigInteger} and {@link java.math.BigDecimal} with all their
 * digits. NaN and infinity are written as {@code null}, {@link java.util.Date} and {@link
 * java.time.Instant} in UTC with milliseconds. Jackson writes other types, with their properties in
 * the order of declaration. {@link JsonCodec#ABSENT} omits an entry of a map, is {@code null} in a
 * list, and is written as an empty text if it is the whole value. Values that contain themselves
 * are rejected, and so are types that nest deeper than 500 levels, and indented text deeper than
 * 2,000 levels.
 */
public final class JacksonCodec implements JsonCodec {

  /** An annotation that the oldest supported version has, but not the version before it. */
  private static final String NEWEST_ANNOTATION =
      "com.fasterxml.jackson.annotation.JsonSerializeAs";

  private final TypedValues types;

  /**
   * A parsed document.
   *
   * @param tape the tokens
   * @param exactNumbers whether plain numbers keep all their digits
   * @param types reads types
   */
  private record Parsed(JsonTape tape, boolean exactNumbers, TypedValues types)
      implements JsonDocument {

    @Override
    public @Nullable Object value() {
      return JsonTape.PlainValues.of(tape, exactNumbers);
    }

    @Override
    public @Nullable Object read(Type type, InputErrors errors) {
      try {
        return types.read(tape, type, errors);
      } catch (LinkageError e) {
        throw explained(e);
      }
    }

    @Override
    public String pointer(Type type, List<Object> path) {
      return types.pointer(type, path);
    }

    @Override
    public String text() {
      return tape.text();
    }
  }

  /** Creates a thread-safe codec. */
  public JacksonCodec() {
    this(TypedValues.STANDARD);
  }

  private JacksonCodec(TypedValues types) {
    this.types = types;
  }

  /**
   * Creates a codec that reads and writes types with the given mapper, with all its features,
   * modules, naming strategies and date formats:
   *
   * <pre>{@code
   * JsonMapper mapper = JsonMapper.builder()
   *     .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
   *     .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
   *     .build();
   * app.set(Settings.JSON_CODEC, JacksonCodec.of(mapper));
   * }</pre>
   *
   * <p>Maps, lists, strings, numbers, booleans and null are still read and written as described
   * above. The settings {@code json spaces}, {@code json replacer} and {@code json escape} also
   * apply to types that the mapper writes, and doubles in them have the digits of {@code
   * JSON.stringify}. Features of {@link tools.jackson.core.json.JsonWriteFeature} have no effect.
   *
   * @param mapper reads and writes all other types; it is not changed
   * @return a thread-safe codec
   */
  public static JacksonCodec of(JsonMapper mapper) {
    return new JacksonCodec(new TypedValues(mapper));
  }

  /**
   * Returns the mapper that writes types. Types may be read by another mapper with the same names.
   */
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
  public void clearCaches() {
    types.clearCaches();
  }

  @Override
  public @Nullable Validation validation() {
    return JakartaProvider.get();
  }

  @Override
  public @Nullable Object read(String text, ReadOptions reading) {
    return parse(text, reading).value();
  }

  @Override
  public @Nullable Object read(byte[] utf8, ReadOptions reading) {
    return parse(utf8, reading).value();
  }

  @Override
  public JsonDocument parse(String text, ReadOptions reading) {
    return new Parsed(JsonScanner.scan(text, reading), reading.exactNumbers(), types);
  }

  @Override
  public JsonDocument parse(byte[] utf8, ReadOptions reading) {
    return new Parsed(JsonScanner.scan(utf8, reading), reading.exactNumbers(), types);
  }

  @Override
  public @Nullable Object read(String text, Type type) {
    try {
      return types.read(text, type);
    } catch (LinkageError e) {
      throw explained(e);
    }
  }

  @Override
  public @Nullable Object read(String text, Type type, InputErrors errors) {
    return parse(text, ReadOptions.DEFAULT).read(type, errors);
  }

  @Override
  public @Nullable Object read(byte[] utf8, Type type) {
    Object value = types.readBytes(utf8, type);
    return value == ABSENT ? JsonCodec.super.read(utf8, type) : value;
  }

  @Override
  public String write(@Nullable Object value, WriteOptions style) {
    return text(value, style).toString();
  }

  @Override
  public byte[] writeBytes(@Nullable Object value, WriteOptions style) {
    return text(value, style).toBytes();
  }

  private JsonText text(@Nullable Object value, WriteOptions style) {
    try {
      return new JsonWriter(style, types).write(value);
    } catch (LinkageError e) {
      throw explained(e);
    }
  }

  /**
   * Detects annotations of Jackson that are older than Jackson itself. Jackson 2 and 3 share this
   * library, so a parent POM or BOM for Jackson 2 may select its version.
   *
   * @param error the error that occurred
   * @return an exception that explains how to correct the version
   * @throws LinkageError the same error, if the version is not the cause
   */
  static IllegalStateException explained(LinkageError error) {
    try {
      Class.forName(NEWEST_ANNOTATION, false, JacksonCodec.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return new IllegalStateException(
          "JSON of records and beans needs com.fasterxml.jackson.core:jackson-annotations 2.21 or"
              + " newer. The class path has an older version. Update the parent POM or BOM that"
              + " manages it (Spring Boot 3.5.13, jackson-bom 2.21), or override the version (in"
              + " Maven with dependencyManagement).",
          error);
    }
    throw error;
  }
}
