package dev.percolate.json;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.percolate.core.InputFaults;
import dev.percolate.core.JsonCodec;
import dev.percolate.http.Utf8Check;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Map;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** Turns texts to records, beans and the like, and those to plain values, by Jackson. */
final class TypedValues {

  /** As few switches as make the types of most users readable. */
  static final TypedValues STANDARD = new TypedValues(null);

  private final @Nullable JsonMapper own;
  private final @Nullable ObjectWriter objects;
  private final Lazy strict = new Lazy(false);
  private final Lazy lenient = new Lazy(true);

  private TypedValues(@Nullable JsonMapper own) {
    this.own = own;
    this.objects = own == null ? null : objects(own);
  }

  /** A mapper for texts of clients, made when it is needed first. */
  private final class Lazy {

    private final boolean lenient;
    private volatile @Nullable JsonMapper mapper;

    Lazy(boolean lenient) {
      this.lenient = lenient;
    }

    JsonMapper mapper() {
      JsonMapper known = mapper;
      if (known == null) {
        known = reader().rebuild().addModule(new ClientRules(lenient)).build();
        mapper = known; // of two made at once either will do
      }
      return known;
    }
  }

  /** Reads and writes types as a mapper does, dates too. */
  static TypedValues of(JsonMapper mapper) {
    return new TypedValues(mapper);
  }

  /**
   * Reads a text to a type.
   *
   * @throws IllegalArgumentException if it does not fit; the message names no class
   * @throws IllegalStateException if nothing can be read to the type
   * @see Misfit
   */
  @Nullable Object read(String text, Type type) {
    try {
      return reader().readValue(text, reader().constructType(type));
    } catch (JacksonException e) {
      throw Misfit.of(e, type, this);
    } catch (IllegalArgumentException e) {
      throw Misfit.unreadable(type, e);
    }
  }

  /**
   * Reads what a client has sent to a type; see {@link dev.percolate.core.JsonCodec}.
   *
   * @throws IllegalArgumentException if it is no JSON
   * @throws IllegalStateException if nothing can be read to the type
   */
  @Nullable Object read(String text, Type type, InputFaults faults) {
    JsonMapper mapper = mapper(faults);
    try {
      return mapper.readValue(text, mapper.constructType(type));
    } catch (JacksonException e) {
      Misfit.throwOthers(e, type);
      Map<String, JavaType> absent =
          faults.lenient() ? Map.of() : Absences.find(mapper, text, mapper.constructType(type));
      absent.forEach(
          (at, wanted) -> faults.missing(at, Expectation.of(wanted.getRawClass(), this)));
      Misfit.note(e, absent.keySet(), this, faults);
      return null;
    } catch (IllegalArgumentException e) {
      throw Misfit.unreadable(type, e);
    }
  }

  /**
   * Reads UTF-8 to a type; gives {@link JsonCodec#ABSENT} if only its text tells what it means or
   * what is wrong.
   *
   * @param faults says how a client's is read; null for anybody's
   */
  @Nullable Object readBytes(byte[] utf8, Type type, @Nullable InputFaults faults) {
    JsonMapper mapper = faults == null ? reader() : mapper(faults);
    // Jackson does not measure a document that it has at once.
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
   * Tells whether Jackson sees the characters that we do: by zeros it would guess at another
   * charset, and it takes bytes that are no character.
   */
  private static boolean isPlain(byte[] utf8) {
    Utf8Check check = new Utf8Check();
    return utf8.length > 1
        && utf8[0] != 0
        && utf8[1] != 0
        && check.accepts(ByteBuffer.wrap(utf8))
        && check.isComplete();
  }

  private JsonMapper mapper(InputFaults faults) {
    return (faults.lenient() ? lenient : strict).mapper();
  }

  private JsonMapper reader() {
    return own == null ? Standard.READER : own;
  }

  /** Returns a record, bean and the like as maps, lists, texts and numbers. */
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
   * Writes a record, bean and the like to a text.
   *
   * @param level how many containers of the text are open
   * @param mostLevels how many may be
   */
  void write(Object value, JsonText text, String indent, int level, int mostLevels) {
    Object dated = own == null ? Dates.asText(value) : value;
    if (dated instanceof String date) {
      text.quoted(date);
      return;
    }
    try {
      ObjectWriter writer = objects == null ? Standard.OBJECTS : objects;
      int most = Math.min(mostLevels, level + writeConstraints().getMaxNestingDepth());
      writer.writeValue(new TextGenerator(writer, text, indent, level, most), value);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** Returns the text of a date, which is what replacers see; any other value as it is. */
  @Nullable Object dated(@Nullable Object value) {
    if (own == null) {
      return Dates.asText(value);
    }
    return value instanceof Date || value instanceof Instant
        ? writer().convertValue(value, Object.class)
        : value;
  }

  /** Writes values that are part of a text: none is wrapped, as whole texts may be, nor closed. */
  private static ObjectWriter objects(JsonMapper mapper) {
    return mapper
        .writer()
        .without(SerializationFeature.WRAP_ROOT_VALUE, SerializationFeature.CLOSE_CLOSEABLE);
  }

  private StreamWriteConstraints writeConstraints() {
    return writer().tokenStreamFactory().streamWriteConstraints();
  }

  JsonMapper writer() {
    return own == null ? Standard.WRITER : own;
  }

  /** Made when a type is read or written first: plain values need no part of Jackson. */
  private static final class Standard {

    /** A limit on bodies limits names, too. */
    private static final StreamReadConstraints CONSTRAINTS =
        StreamReadConstraints.builder().maxNameLength(Integer.MAX_VALUE).build();

    static final JsonMapper READER =
        JsonMapper.builder(JsonFactory.builder().streamReadConstraints(CONSTRAINTS).build())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .addModule(new SimpleModule().setDeserializerModifier(new AbsentPrimitives()))
            .build();

    /** Apart from the reader, as the format of a date would also hold for reading. */
    static final JsonMapper WRITER =
        JsonMapper.builder()
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .withConfigOverride(Instant.class, override -> override.setFormat(dateFormat()))
            .withConfigOverride(Date.class, override -> override.setFormat(dateFormat()))
            .build();

    static final ObjectWriter OBJECTS = objects(WRITER);

    private Standard() {}

    private static JsonFormat.Value dateFormat() {
      return JsonFormat.Value.forPattern(Dates.PATTERN)
          .withShape(JsonFormat.Shape.STRING)
          .withTimeZone(TimeZone.getTimeZone("UTC"));
    }
  }
}
