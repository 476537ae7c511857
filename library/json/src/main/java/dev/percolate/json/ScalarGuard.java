package dev.percolate.json;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.percolate.core.JsonCodec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.Period;
import java.time.ZoneId;
import java.time.chrono.ChronoLocalDate;
import java.time.chrono.ChronoLocalDateTime;
import java.time.chrono.ChronoZonedDateTime;
import java.time.temporal.Temporal;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsonFormatVisitors.JsonStringFormatVisitor;
import tools.jackson.databind.ser.std.ToStringSerializer;
import tools.jackson.databind.type.ArrayType;

/**
 * Reads types that are written as strings, such as times, from strings only, and floating-point
 * numbers from numbers only. Jackson would also read a time from a number or a list, a URI from a
 * number, bytes from a list, and null from an empty string. Numbers that are written as strings, by
 * {@link JsonFormat} or {@link ToStringSerializer}, are also read from strings.
 */
final class ScalarGuard extends ValueDeserializerModifier {

  private static final long serialVersionUID = 1L;

  private static final Set<Class<?>> TEXTS =
      Set.of(UUID.class, URI.class, URL.class, Currency.class, Locale.class);

  private static final Set<Class<?>> NUMBERS =
      Set.of(double.class, Double.class, float.class, Float.class);

  private static final Set<Class<?>> EXACT_NUMBERS =
      Set.of(
          byte.class,
          Byte.class,
          short.class,
          Short.class,
          int.class,
          Integer.class,
          long.class,
          Long.class,
          BigInteger.class,
          BigDecimal.class);

  /** The classes of numbers that the mapper writes as strings. */
  @SuppressWarnings("serial") // mappers are not serialized
  private final Set<Class<?>> quoted;

  /**
   * Creates the guard of a mapper.
   *
   * @param mapper writes the values that the guard reads
   */
  ScalarGuard(JsonMapper mapper) {
    quoted =
        Stream.concat(NUMBERS.stream(), EXACT_NUMBERS.stream())
            .filter(type -> writesText(mapper, type))
            .collect(Collectors.toUnmodifiableSet());
  }

  private static boolean writesText(JsonMapper mapper, Class<?> type) {
    AtomicBoolean text = new AtomicBoolean();
    JsonFormatVisitorWrapper visitor =
        new JsonFormatVisitorWrapper.Base() {
          @Override
          public @Nullable JsonStringFormatVisitor expectStringFormat(JavaType of) {
            text.set(true);
            return null;
          }
        };
    try {
      mapper.acceptJsonFormatVisitor(mapper.constructType(type), visitor);
    } catch (JacksonException e) {
      return false; // unknown
    }
    return text.get();
  }

  @Override
  public ValueDeserializer<?> modifyDeserializer(
      DeserializationConfig config,
      BeanDescription.Supplier description,
      ValueDeserializer<?> deserializer) {
    Class<?> type = description.getBeanClass();
    if (NUMBERS.contains(type)) {
      return new QuotedNumber(new Guard(deserializer, type, false), type, quoted.contains(type));
    }
    if (EXACT_NUMBERS.contains(type)) {
      return new QuotedNumber(deserializer, type, quoted.contains(type));
    }
    boolean text = TEXTS.contains(type) || (isTime(type) && writesTexts(config));
    return text ? new Guard(deserializer, type, true) : deserializer;
  }

  @Override
  public ValueDeserializer<?> modifyArrayDeserializer(
      DeserializationConfig config,
      ArrayType type,
      BeanDescription.Supplier description,
      ValueDeserializer<?> deserializer) {
    Class<?> raw = type.getRawClass();
    return raw == byte[].class || raw == char[].class
        ? new Guard(deserializer, raw, true)
        : deserializer;
  }

  /** Returns true if values of a type are dates, times, durations or time zones. */
  static boolean isTime(Class<?> type) {
    boolean year = type == java.time.Year.class; // a number
    return !year
        && (Temporal.class.isAssignableFrom(type)
            || ChronoLocalDate.class.isAssignableFrom(type)
            || ChronoLocalDateTime.class.isAssignableFrom(type)
            || ChronoZonedDateTime.class.isAssignableFrom(type)
            || ZoneId.class.isAssignableFrom(type)
            || Date.class.isAssignableFrom(type)
            || Calendar.class.isAssignableFrom(type)
            || type == Duration.class
            || type == Period.class
            || type == java.time.MonthDay.class);
  }

  private static boolean writesTexts(DeserializationConfig config) {
    return !config.isEnabled(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
        && !config.isEnabled(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
  }

  /** Reads a number also from a string, if its type or property is written as a string. */
  private static final class QuotedNumber extends DelegatingDeserializer {

    private final Class<?> type;
    private final boolean always;

    QuotedNumber(ValueDeserializer<?> delegate, Class<?> type, boolean always) {
      super(delegate);
      this.type = type;
      this.always = always;
    }

    @Override
    protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> delegate) {
      return new QuotedNumber(delegate, type, always);
    }

    @Override
    public ValueDeserializer<?> createContextual(
        DeserializationContext context, @Nullable BeanProperty property) {
      ValueDeserializer<?> contextual = super.createContextual(context, property);
      return contextual instanceof QuotedNumber quoted && !isWrittenAsText(context, property)
          ? quoted.getDelegatee()
          : contextual;
    }

    private boolean isWrittenAsText(
        DeserializationContext context, @Nullable BeanProperty property) {
      JsonFormat.Value format = findFormatOverrides(context, property, type);
      if (always || (format != null && format.getShape() == JsonFormat.Shape.STRING)) {
        return true;
      }
      AnnotatedMember member = property == null ? null : property.getMember();
      return member != null
          && context.getAnnotationIntrospector().findSerializer(context.getConfig(), member)
              == ToStringSerializer.class;
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
      if (parser.currentToken() != JsonToken.VALUE_STRING) {
        return super.deserialize(parser, context);
      }
      JsonParser number = number(parser.getString(), context);
      return number == null
          ? context.handleWeirdStringValue(type, parser.getString(), "not a number")
          : super.deserialize(number, context);
    }

    private static @Nullable JsonParser number(String text, DeserializationContext context) {
      try {
        JsonTape tape = JsonScanner.scan(text, JsonCodec.ReadOptions.DEFAULT);
        JsonParser parser = new TapeParser(tape, context);
        return parser.nextToken().isNumeric() ? parser : null;
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
  }

  /** Checks the token before another deserializer reads it. */
  private static final class Guard extends DelegatingDeserializer {

    private final Class<?> type;
    private final boolean text;

    Guard(ValueDeserializer<?> delegate, Class<?> type, boolean text) {
      super(delegate);
      this.type = type;
      this.text = text;
    }

    @Override
    protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> delegate) {
      return new Guard(delegate, type, text);
    }

    @Override
    public ValueDeserializer<?> createContextual(
        DeserializationContext context, @Nullable BeanProperty property) {
      ValueDeserializer<?> contextual = super.createContextual(context, property);
      JsonFormat.Value format = findFormatOverrides(context, property, type);
      JsonFormat.Shape shape = format == null ? JsonFormat.Shape.ANY : format.getShape();
      boolean other = shape != JsonFormat.Shape.ANY && shape != JsonFormat.Shape.STRING;
      return text && other && contextual instanceof Guard guard ? guard.getDelegatee() : contextual;
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
      JsonToken token = parser.currentToken();
      if (token == JsonToken.VALUE_EMBEDDED_OBJECT) {
        return super.deserialize(parser, context);
      }
      if ((token == JsonToken.VALUE_STRING) != text) {
        JavaType expected = context.constructType(type);
        return context.handleUnexpectedToken(expected, parser);
      }
      Object value = super.deserialize(parser, context);
      if (!text && value instanceof Number number && !Double.isFinite(number.doubleValue())) {
        return context.handleWeirdNumberValue(type, number, "out of range");
      }
      return value == null && text
          ? context.handleWeirdStringValue(type, parser.getString(), "an empty string")
          : value;
    }
  }
}
