package dev.percolate.json;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.percolate.core.InputErrors;
import dev.percolate.core.JsonCodec;
import dev.percolate.http.Utf8Check;
import java.lang.reflect.Array;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.MapperBuilder;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** Converts between JSON and records, beans and other types, with Jackson. */
final class TypedValues {

  /** For years with four digits, as in RFC 3339. */
  private static final String DATE_PATTERN = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'";

  private static final DateTimeFormatter DATE_FORMAT =
      DateTimeFormatter.ofPattern(DATE_PATTERN.replace("yyyy", "uuuu"), Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** A mapper with few changes to Jackson's defaults. */
  static final TypedValues STANDARD = new TypedValues(null);

  private final @Nullable JsonMapper own;
  private final @Nullable ObjectWriter objects;

  /** The readers of JSON of clients, by whether they are lenient. Created on first use. */
  private final Map<Boolean, TapeContext> clientReaders = new ConcurrentHashMap<>();

  /** The properties of each type by their names in Java, for pointers. Filled on first use. */
  private final Map<JavaType, Map<String, JavaProperties.Named>> properties =
      new ConcurrentHashMap<>();

  /**
   * Reads and writes types, including dates, with a mapper.
   *
   * @param own the mapper; null for the standard mappers
   */
  TypedValues(@Nullable JsonMapper own) {
    this.own = own;
    this.objects = own == null ? null : objects(own);
  }

  private TapeContext clientReader(boolean lenient) {
    TapeContext known = clientReaders.get(lenient);
    return known != null
        ? known
        : clientReaders.computeIfAbsent(
            lenient, one -> new TapeContext(ClientRules.mapper(reader(), one)));
  }

  /**
   * Reads JSON as a type.
   *
   * @throws IllegalArgumentException if a value is invalid; the message names no class
   * @throws IllegalStateException if the type cannot be read
   * @see TypeMismatch
   */
  @Nullable Object read(String text, Type type) {
    try {
      return reader().readValue(text, reader().constructType(type));
    } catch (JacksonException e) {
      throw TypeMismatch.of(e, type, this::plain);
    } catch (IllegalArgumentException e) {
      throw TypeMismatch.unreadable(type, e);
    }
  }

  /**
   * Reads JSON of a client as a type; see {@link dev.percolate.core.JsonDocument}.
   *
   * @throws IllegalArgumentException if the JSON exceeds a limit of the mapper
   * @throws IllegalStateException if the type cannot be read
   */
  @Nullable Object read(JsonTape tape, Type type, InputErrors errors) {
    TapeContext context = clientReader(errors.lenient());
    JsonMapper mapper = context.mapper();
    JavaType target;
    try {
      target = mapper.constructType(type);
    } catch (IllegalArgumentException e) {
      throw TypeMismatch.unreadable(type, e);
    }
    try {
      Object value = mapper.readValue(new TapeParser(tape, context), target);
      if (!errors.lenient() && InvalidValues.holdsNull(tape, 0, target)) {
        boolean ignored = explain(context, tape, target, errors);
      }
      return value;
    } catch (JacksonException e) {
      TypeMismatch.throwOthers(e, type);
      boolean rejected = explain(context, tape, target, errors);
      if (errors.isEmpty() || (TypeMismatch.isUnexplained(e) && !rejected)) {
        boolean ignored = TypeMismatch.note(e, "", this::plain, errors);
      }
      return null;
    } catch (IllegalArgumentException e) {
      throw TypeMismatch.unreadable(type, e);
    }
  }

  private boolean explain(TapeContext context, JsonTape tape, JavaType target, InputErrors errors) {
    try {
      return InvalidValues.add(context, tape, target, this::plain, errors);
    } catch (JacksonException e) { // a subtype named in the JSON cannot be read
      throw TypeMismatch.of(e, target, this::plain);
    }
  }

  /** Returns the JSON pointer of a part of a value; see {@link JavaProperties#pointer}. */
  String pointer(Type type, List<Object> path) {
    return JavaProperties.pointer(this::properties, writer().constructType(type), path);
  }

  private Map<String, JavaProperties.Named> properties(JavaType type) {
    return properties.computeIfAbsent(type, one -> JavaProperties.byJavaName(writer(), one));
  }

  @Nullable ReadObject reading(JavaType type, boolean lenient) {
    return ReadObject.of(clientReader(lenient), type);
  }

  /**
   * Reads UTF-8 as a type. Returns {@link JsonCodec#ABSENT} if the decoded text is needed to read
   * it or to report the error.
   */
  @Nullable Object readBytes(byte[] utf8, Type type) {
    JsonMapper mapper = reader();
    // Jackson does not check the length of a document that is passed as a whole.
    if (isPlain(utf8)
        && !mapper.tokenStreamFactory().streamReadConstraints().hasMaxDocumentLength()) {
      try {
        return mapper.readValue(utf8, mapper.constructType(type));
      } catch (JacksonException | IllegalArgumentException | LinkageError e) {
        return JsonCodec.ABSENT;
      }
    }
    return JsonCodec.ABSENT;
  }

  /**
   * Returns true if Jackson decodes the bytes as UTF-8. It would take zeros for another charset,
   * and accepts invalid bytes.
   */
  private static boolean isPlain(byte[] utf8) {
    Utf8Check check = new Utf8Check();
    return utf8.length > 1
        && utf8[0] != 0
        && utf8[1] != 0
        && check.accepts(ByteBuffer.wrap(utf8))
        && check.isComplete();
  }

  /** Removes cached information about types. */
  void clearCaches() {
    reader().clearCaches();
    writer().clearCaches();
    properties.clear();
    clientReaders.values().forEach(context -> context.mapper().clearCaches());
  }

  private JsonMapper reader() {
    return own == null ? Standard.READER : own;
  }

  /** Converts a record, bean or similar value to maps, lists, strings and numbers. */
  @Nullable Object plain(Object value) {
    Object dated = dated(value);
    if (dated != value) {
      return dated;
    }
    try {
      Object plain = writer().convertValue(value, Object.class);
      return plain instanceof byte[] bytes ? Base64.getEncoder().encodeToString(bytes) : plain;
    } catch (JacksonException e) {
      throw new IllegalArgumentException("JSON: " + e.getOriginalMessage(), e);
    }
  }

  /**
   * Writes a record, bean or similar value.
   *
   * @param level the number of open containers in the output
   * @param mostLevels the maximum number of open containers
   */
  void write(Object value, JsonText text, String indent, int level, int mostLevels) {
    Object dated = own == null ? dateAsText(value) : value;
    if (dated instanceof String date) {
      text.quoted(date);
      return;
    }
    try {
      ObjectWriter writer = objects == null ? Standard.OBJECTS : objects;
      StreamWriteConstraints limits = writer().tokenStreamFactory().streamWriteConstraints();
      int most = Math.min(mostLevels, level + limits.getMaxNestingDepth());
      int features = writer().serializationConfig().getStreamWriteFeatures();
      writer.writeValue(new TextGenerator(writer, features, text, indent, level, most), value);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** Returns a date as text, as replacers see it, and any other value unchanged. */
  @Nullable Object dated(@Nullable Object value) {
    if (own == null) {
      return dateAsText(value);
    }
    return value instanceof Date || value instanceof Instant
        ? writer().convertValue(value, Object.class)
        : value;
  }

  /** Returns a writer for values inside a document, which it neither wraps nor closes. */
  private static ObjectWriter objects(JsonMapper mapper) {
    return mapper
        .writer()
        .without(SerializationFeature.WRAP_ROOT_VALUE, SerializationFeature.CLOSE_CLOSEABLE);
  }

  JsonMapper writer() {
    return own == null ? Standard.WRITER : own;
  }

  /** Created when a type is first read or written: plain values do not need Jackson. */
  private static final class Standard {

    /** Names need no limit, since the size of bodies is limited. */
    private static final StreamReadConstraints CONSTRAINTS =
        StreamReadConstraints.builder().maxNameLength(Integer.MAX_VALUE).build();

    /** Jackson's module for Kotlin, if it is on the class path. */
    private static final List<JacksonModule> KOTLIN =
        MapperBuilder.findModules().stream()
            .filter(
                module -> module.getClass().getName().startsWith("tools.jackson.module.kotlin."))
            .toList();

    static final JsonMapper READER =
        JsonMapper.builder(JsonFactory.builder().streamReadConstraints(CONSTRAINTS).build())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .addModule(
                new SimpleModule()
                    .setDeserializerModifier(
                        new ByClass(
                            (type, usual) ->
                                type.isPrimitive() ? new WithDefault(usual, type) : usual)))
            .addModules(KOTLIN)
            .build();

    /** Separate from the reader, because the date format would also apply to reading. */
    static final JsonMapper WRITER =
        JsonMapper.builder()
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .withConfigOverride(Instant.class, override -> override.setFormat(dateFormat()))
            .withConfigOverride(Date.class, override -> override.setFormat(dateFormat()))
            .addModules(KOTLIN)
            .build();

    static final ObjectWriter OBJECTS = objects(WRITER);

    private Standard() {}

    private static JsonFormat.Value dateFormat() {
      return JsonFormat.Value.forPattern(DATE_PATTERN)
          .withShape(JsonFormat.Shape.STRING)
          .withTimeZone(TimeZone.getTimeZone("UTC"));
    }
  }

  /**
   * Returns a date or instant as text like {@code Date.prototype.toISOString}, and any other value
   * unchanged.
   */
  @SuppressWarnings("JavaUtilDate") // for values of applications
  private static @Nullable Object dateAsText(@Nullable Object value) {
    if (value instanceof Instant instant) {
      return DATE_FORMAT.format(instant);
    }
    // Dates of java.sql do not support toInstant.
    return value instanceof Date date
        ? DATE_FORMAT.format(Instant.ofEpochMilli(date.getTime()))
        : value;
  }

  /**
   * Delegates reading a primitive, and makes it 0 or false if it is absent, as in Jackson 2 and in
   * Jackson 3 except 3.0 and 3.1. An explicit null is still rejected.
   */
  private static final class WithDefault extends DelegatingDeserializer {

    private final Class<?> type;

    WithDefault(ValueDeserializer<?> delegate, Class<?> type) {
      super(delegate);
      this.type = type;
    }

    @Override
    protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> delegate) {
      return new WithDefault(delegate, type);
    }

    @Override
    public Object getAbsentValue(DeserializationContext context) {
      return Array.get(Array.newInstance(type, 1), 0);
    }
  }
}
