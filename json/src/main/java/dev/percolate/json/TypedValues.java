package dev.percolate.json;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** Turns texts to records, beans and the like, and those to plain values, by Jackson. */
final class TypedValues {

  /** A limit on bodies limits names, too. */
  private static final StreamReadConstraints CONSTRAINTS =
      StreamReadConstraints.builder().maxNameLength(Integer.MAX_VALUE).build();

  /** As few switches as make the types of most users readable. */
  static final TypedValues STANDARD = new TypedValues(reader(), writer(), true);

  private final JsonMapper reader;
  private final JsonMapper writer;
  private final boolean datesInUtc;

  private static JsonMapper reader() {
    return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(CONSTRAINTS).build())
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .addModule(new SimpleModule().setDeserializerModifier(new AbsentPrimitives()))
        .build();
  }

  /** Apart from the reader, as the format of a date would also hold for reading. */
  private static JsonMapper writer() {
    return JsonMapper.builder()
        .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
        .withConfigOverride(Instant.class, override -> override.setFormat(dateFormat()))
        .withConfigOverride(Date.class, override -> override.setFormat(dateFormat()))
        .build();
  }

  private TypedValues(JsonMapper reader, JsonMapper writer, boolean datesInUtc) {
    this.reader = reader;
    this.writer = writer;
    this.datesInUtc = datesInUtc;
  }

  /** Reads and writes types as a mapper does, dates too. */
  static TypedValues of(JsonMapper mapper) {
    return new TypedValues(mapper, mapper, false);
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
      return reader.readValue(text, reader.constructType(type));
    } catch (JacksonException e) {
      throw Misfit.of(e, type, this);
    } catch (IllegalArgumentException e) {
      throw Misfit.unreadable(type, e);
    }
  }

  /** Returns a record, bean and the like as maps, lists, texts and numbers. */
  @Nullable Object plain(Object value) {
    Object dated = dated(value);
    if (dated != value) {
      return dated;
    }
    try {
      Object plain = writer.convertValue(value, Object.class);
      return plain instanceof byte[] bytes ? Base64.getEncoder().encodeToString(bytes) : plain;
    } catch (JacksonException e) {
      throw new IllegalArgumentException("JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** Returns the text of a date, which is what replacers see; any other value as it is. */
  @Nullable Object dated(@Nullable Object value) {
    if (datesInUtc) {
      return Dates.asText(value);
    }
    return value instanceof Date || value instanceof Instant
        ? writer.convertValue(value, Object.class)
        : value;
  }

  private static JsonFormat.Value dateFormat() {
    return JsonFormat.Value.forPattern(Dates.PATTERN)
        .withShape(JsonFormat.Shape.STRING)
        .withTimeZone(TimeZone.getTimeZone("UTC"));
  }
}
