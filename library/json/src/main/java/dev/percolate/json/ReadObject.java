package dev.percolate.json;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.DelegatingDeserializer;

/**
 * The JSON that objects of a type are read from, according to the deserializer of client input.
 *
 * @param properties the properties of the JSON object
 * @param scalars the scalar JSON types that are accepted too: {@code string}, {@code integer},
 *     {@code number}, {@code boolean}
 * @param delegate the type that is read instead, such as the parameter of a delegating creator;
 *     null if the properties are read
 */
public record ReadObject(
    List<ReadProperty> properties, List<String> scalars, @Nullable JavaType delegate) {

  /** Returns the description of a type; null if it has no properties or cannot be read. */
  static @Nullable ReadObject of(TapeContext reader, JavaType type) {
    return WithContext.call(reader.mapper(), context -> of(context, type));
  }

  private static @Nullable ReadObject of(DeserializationContext context, JavaType type) {
    ValueDeserializer<?> worker;
    try {
      worker = context.findContextualValueDeserializer(type, null);
    } catch (JacksonException e) {
      return null; // a type that is only written
    }
    return innermost(worker) instanceof BeanDeserializerBase bean ? of(context, bean) : null;
  }

  /** Returns the deserializer that others delegate to. */
  static ValueDeserializer<?> innermost(ValueDeserializer<?> deserializer) {
    ValueDeserializer<?> inner = deserializer;
    while (inner instanceof DelegatingDeserializer guard) {
      inner = guard.getDelegatee();
    }
    return inner;
  }

  private static ReadObject of(DeserializationContext context, BeanDeserializerBase bean) {
    List<ReadProperty> properties =
        ReadProperty.of(bean).values().stream()
            .map(property -> ReadProperty.of(property, context))
            .toList();
    ValueInstantiator instantiator = bean.getValueInstantiator();
    JavaType delegate =
        instantiator.canCreateUsingDelegate()
            ? instantiator.getDelegateType(context.getConfig())
            : null;
    return new ReadObject(properties, scalars(instantiator), delegate);
  }

  private static List<String> scalars(ValueInstantiator instantiator) {
    List<String> scalars = new ArrayList<>();
    if (instantiator.canCreateFromString()) {
      scalars.add("string");
    }
    if (instantiator.canCreateFromDouble() || instantiator.canCreateFromBigDecimal()) {
      scalars.add("number");
    } else if (instantiator.canCreateFromInt()
        || instantiator.canCreateFromLong()
        || instantiator.canCreateFromBigInteger()) {
      scalars.add("integer");
    }
    if (instantiator.canCreateFromBoolean()) {
      scalars.add("boolean");
    }
    return scalars;
  }
}
