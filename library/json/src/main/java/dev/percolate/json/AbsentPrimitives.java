package dev.percolate.json;

import java.lang.reflect.Array;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.std.DelegatingDeserializer;

/**
 * Makes absent primitives 0 or false, as in Jackson 2 and in Jackson 3 except 3.0 and 3.1. An
 * explicit null is still rejected.
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

  /** Delegates reading a primitive, and supplies its default if it is absent. */
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
