package dev.percolate.json;

import java.util.function.BiFunction;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;

/** Replaces deserializers, depending on the class that they read. */
final class ByClass extends ValueDeserializerModifier {

  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // mappers are not serialized
  private final BiFunction<Class<?>, ValueDeserializer<?>, ValueDeserializer<?>> choice;

  /**
   * Creates a modifier.
   *
   * @param choice returns the deserializer for a class, given the usual one
   */
  ByClass(BiFunction<Class<?>, ValueDeserializer<?>, ValueDeserializer<?>> choice) {
    this.choice = choice;
  }

  @Override
  public ValueDeserializer<?> modifyDeserializer(
      DeserializationConfig config,
      BeanDescription.Supplier description,
      ValueDeserializer<?> deserializer) {
    return choice.apply(description.getBeanClass(), deserializer);
  }
}
