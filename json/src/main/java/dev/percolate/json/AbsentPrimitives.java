package dev.percolate.json;

import java.lang.reflect.Array;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.std.DelegatingDeserializer;

/**
 * Makes primitives that a text leaves out 0 or false, as Jackson 2 does, and Jackson 3 but for 3.0
 * and 3.1. An explicit null still does not fit.
 */
final class AbsentPrimitives extends ValueDeserializerModifier {

  private static final long serialVersionUID = 1L;

  @Override
  public ValueDeserializer<?> modifyDeserializer(
      DeserializationConfig config,
      BeanDescription.Supplier description,
      ValueDeserializer<?> deserializer) {
    Class<?> type = description.getBeanClass();
    return type.isPrimitive() ? new WithDefault(deserializer, type) : deserializer;
  }

  /** Reads a primitive as another does, but knows what it is when it is absent. */
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
