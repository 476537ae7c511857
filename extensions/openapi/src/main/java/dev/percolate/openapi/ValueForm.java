package dev.percolate.openapi;

import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsonFormatVisitors.JsonArrayFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonBooleanFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsonFormatVisitors.JsonIntegerFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonNumberFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonStringFormatVisitor;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.BeanPropertyWriter;

/** Determines the JSON form of a type from its serializer. */
final class ValueForm extends JsonFormatVisitorWrapper.Base {

  private static final Map<Class<?>, String> TEXTS =
      Map.ofEntries(
          Map.entry(UUID.class, "uuid"),
          Map.entry(URI.class, "uri"),
          Map.entry(URL.class, "uri"),
          Map.entry(Instant.class, "date-time"),
          Map.entry(OffsetDateTime.class, "date-time"),
          Map.entry(ZonedDateTime.class, "date-time"),
          Map.entry(Date.class, "date-time"),
          Map.entry(Calendar.class, "date-time"),
          Map.entry(Character.class, "char"),
          Map.entry(LocalDate.class, "date"),
          Map.entry(Duration.class, "duration"));

  private static final Map<Class<?>, String> NUMBERS =
      Map.of(
          Byte.class, "int8",
          Short.class, "int16",
          Integer.class, "int32",
          Long.class, "int64",
          Float.class, "float",
          Double.class, "double");

  private final JavaType asked;
  private final Map<String, BeanProperty> properties = new HashMap<>();
  private String type = "";
  private @Nullable Set<String> names;

  private ValueForm(JavaType asked) {
    this.asked = asked;
  }

  static ValueForm of(JsonMapper mapper, JavaType type) {
    ValueForm form = new ValueForm(type);
    try {
      mapper.acceptJsonFormatVisitor(type, form);
    } catch (JacksonException e) {
      form.type = ""; // unknown, so any value is allowed
    }
    return form;
  }

  /**
   * Returns the form of values in a property, whose annotations apply to them.
   *
   * @param owner the form of the object with the property
   * @param property the property
   * @param type the type of the values: that of the property, or of its items
   */
  static ValueForm of(ValueForm owner, BeanProperty property, JavaType type) {
    ValueForm form = new ValueForm(type);
    form.setContext(owner.getContext());
    ValueSerializer<?> own =
        property instanceof BeanPropertyWriter writer && type.equals(property.getType())
            ? writer.getSerializer()
            : null;
    try {
      ValueSerializer<?> serializer =
          own == null ? form.getContext().findPrimaryPropertySerializer(type, property) : own;
      serializer.acceptJsonFormatVisitor(form, type);
    } catch (JacksonException e) {
      form.type = ""; // unknown, so any value is allowed
    }
    return form;
  }

  boolean isObject() {
    return type.equals("object");
  }

  /** Returns the serializer of type names; null if there is none. */
  @Nullable TypeSerializer typeIds() {
    return getContext() == null ? null : getContext().findTypeSerializer(asked);
  }

  Map<String, Object> schema() {
    Map<String, Object> schema = new LinkedHashMap<>();
    if (type.isEmpty()) {
      return schema;
    }
    Class<?> raw = MethodType.methodType(asked.getRawClass()).wrap().returnType();
    boolean whole = raw == BigInteger.class && !type.equals("string");
    boolean fraction = raw == BigDecimal.class && !type.equals("string");
    schema.put("type", whole ? "integer" : fraction ? "number" : type);
    JsonObject.add(schema, "format", (type.equals("string") ? TEXTS : NUMBERS).get(raw));
    if (raw == Character.class) {
      schema.put("minLength", 1);
      schema.put("maxLength", 1);
    }
    JsonObject.add(schema, "enum", names == null ? null : new ArrayList<>(names));
    return schema;
  }

  /** Returns the properties that are written, by name. */
  Map<String, BeanProperty> properties() {
    return properties;
  }

  @Override
  public JsonObjectFormatVisitor expectObjectFormat(JavaType of) {
    type = "object";
    return new JsonObjectFormatVisitor.Base(getContext()) {
      @Override
      public void property(BeanProperty property) {
        properties.put(property.getName(), property);
      }

      @Override
      public void optionalProperty(BeanProperty property) {
        properties.put(property.getName(), property);
      }
    };
  }

  @Override
  public @Nullable JsonArrayFormatVisitor expectArrayFormat(JavaType of) {
    type = "array";
    return null;
  }

  @Override
  public JsonStringFormatVisitor expectStringFormat(JavaType of) {
    type = "string";
    return new JsonStringFormatVisitor.Base() {
      @Override
      public void enumTypes(Set<String> enums) {
        names = enums;
      }
    };
  }

  @Override
  public @Nullable JsonNumberFormatVisitor expectNumberFormat(JavaType of) {
    type = "number";
    return null;
  }

  @Override
  public @Nullable JsonIntegerFormatVisitor expectIntegerFormat(JavaType of) {
    type = "integer";
    return null;
  }

  @Override
  public @Nullable JsonBooleanFormatVisitor expectBooleanFormat(JavaType of) {
    type = "boolean";
    return null;
  }
}
