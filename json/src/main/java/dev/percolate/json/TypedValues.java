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
  private final ClientReader strict = new ClientReader(false);
  private final ClientReader lenient = new ClientReader(true);

  private TypedValues(@Nullable JsonMapper own) {
    this.own = own;
    this.objects = own == null ? null : objects(own);
  }

  /** What reads texts of clients, made when it is needed first. */
  private final class ClientReader {

    private final boolean lenient;
    private volatile @Nullable TapeContext made;

    ClientReader(boolean lenient) {
      this.lenient = lenient;
    }

    TapeContext get() {
      TapeContext known = made;
      if (known == null) {
        known = new TapeContext(ClientRules.mapper(reader(), lenient));
        made = known; // of two made at once either will do
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
      throw Misfit.of(e, type, this::plain);
    } catch (IllegalArgumentException e) {
      throw Misfit.unreadable(type, e);
    }
  }

  /**
   * Reads what a client has sent to a type; see {@link dev.percolate.core.JsonDocument}.
   *
   * @throws IllegalArgumentException if it is beyond a limit of the mapper
   * @throws IllegalStateException if nothing can be read to the type
   */
  @Nullable Object read(JsonTape tape, Type type, InputFaults faults) {
    TapeContext context = (faults.lenient() ? lenient : strict).get();
    JsonMapper mapper = context.mapper();
    JavaType target;
    try {
      target = mapper.constructType(type);
    } catch (IllegalArgumentException e) {
      throw Misfit.unreadable(type, e);
    }
    try {
      Object value = mapper.readValue(new TapeParser(tape, context), target);
      if (!faults.lenient() && Explanation.holdsNull(tape, 0, target)) {
        boolean ignored = explain(context, tape, target, faults);
      }
      return value;
    } catch (JacksonException e) {
      Misfit.throwOthers(e, type);
      boolean refused = explain(context, tape, target, faults);
      if (faults.isEmpty() || (Misfit.isUnexplained(e) && !refused)) {
        boolean ignored = Misfit.note(e, "", this::plain, faults);
      }
      return null;
    } catch (IllegalArgumentException e) {
      throw Misfit.unreadable(type, e);
    }
  }

  private boolean explain(TapeContext context, JsonTape tape, JavaType target, InputFaults faults) {
    try {
      return Explanation.add(context, tape, target, this::plain, faults);
    } catch (JacksonException e) { // a type behind a name in the text that cannot be read
      throw Misfit.of(e, target, this::plain);
    }
  }

  @Nullable ReadObject reading(JavaType type, boolean leniently) {
    return ReadObject.of((leniently ? lenient : strict).get(), type);
  }

  /**
   * Reads UTF-8 to a type; gives {@link JsonCodec#ABSENT} if only its text tells what it means or
   * what is wrong.
   */
  @Nullable Object readBytes(byte[] utf8, Type type) {
    JsonMapper mapper = reader();
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
