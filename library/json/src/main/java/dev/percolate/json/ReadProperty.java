package dev.percolate.json;

import com.fasterxml.jackson.annotation.Nulls;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.CreatorProperty;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;

/**
 * A property of the JSON objects that a type is read from, according to the deserializer of client
 * input: all annotations, naming strategies and settings of the mapper are applied.
 *
 * @param name the name in JSON
 * @param aliases other accepted names
 * @param type the type of its values
 * @param required true if its absence is an error
 * @param nullable true if it may be null
 * @param holdsNull true if items of its lists and values of its maps may be null
 */
public record ReadProperty(
    String name,
    List<String> aliases,
    JavaType type,
    boolean required,
    boolean nullable,
    boolean holdsNull) {

  /** Returns the properties of a deserializer by their names, those of its creator first. */
  static Map<String, SettableBeanProperty> of(BeanDeserializerBase deserializer) {
    List<SettableBeanProperty> all = new ArrayList<>();
    deserializer.creatorProperties().forEachRemaining(all::add);
    all.sort(Comparator.comparingInt(SettableBeanProperty::getCreatorIndex));
    deserializer.properties().forEachRemaining(all::add);
    Map<String, SettableBeanProperty> byName = new LinkedHashMap<>();
    for (SettableBeanProperty one : all) {
      if (!one.isIgnorable() && !one.isInjectionOnly()) {
        byName.putIfAbsent(one.getName(), one);
      }
    }
    return byName;
  }

  static ReadProperty of(SettableBeanProperty property, DeserializationContext context) {
    return new ReadProperty(
        property.getName(),
        aliases(property, context),
        property.getType(),
        isRequired(property, context),
        takesNull(property, context),
        property.getMetadata().getContentNulls() != Nulls.FAIL);
  }

  static List<String> aliases(SettableBeanProperty property, DeserializationContext context) {
    return property.findAliases(context.getConfig()).stream()
        .map(PropertyName::getSimpleName)
        .toList();
  }

  /** Returns true if reading fails without a value. Only arguments of creators are required. */
  static boolean isRequired(SettableBeanProperty property, DeserializationContext context) {
    if (!(property instanceof CreatorProperty) || property.getInjectableValueId() != null) {
      return false;
    }
    return property.isRequired()
        || context.isEnabled(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
        || !gives(() -> absent(property, context));
  }

  private static @Nullable Object absent(
      SettableBeanProperty property, DeserializationContext context) {
    Object value = property.getNullValueProvider().getAbsentValue(context);
    ValueDeserializer<Object> deserializer = property.getValueDeserializer();
    return value == null && deserializer != null ? deserializer.getAbsentValue(context) : value;
  }

  /** Returns true if null can be read. */
  static boolean takesNull(SettableBeanProperty property, DeserializationContext context) {
    return gives(() -> property.getNullValueProvider().getNullValue(context))
        && !(property instanceof CreatorProperty
            && context.isEnabled(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES));
  }

  /** Returns true if the call returns a value or null, and false if it throws. */
  private static boolean gives(Runnable giving) {
    try {
      giving.run();
      return true;
    } catch (JacksonException e) {
      return false;
    }
  }
}
