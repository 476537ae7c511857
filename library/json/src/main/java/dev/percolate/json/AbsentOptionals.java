package dev.percolate.json;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.type.ReferenceType;

/**
 * Reads an absent component of type {@code @Nullable Optional} as null, and a null as an empty
 * optional, so that partial updates can distinguish them. Jackson reads both as an empty optional.
 */
final class AbsentOptionals extends ValueDeserializerModifier {

  private static final long serialVersionUID = 1L;

  @Override
  public ValueDeserializer<?> modifyReferenceDeserializer(
      DeserializationConfig config,
      ReferenceType type,
      BeanDescription.Supplier description,
      ValueDeserializer<?> deserializer) {
    return type.getRawClass() == Optional.class ? new AbsentIsNull(deserializer) : deserializer;
  }

  private static final class AbsentIsNull extends DelegatingDeserializer {

    AbsentIsNull(ValueDeserializer<?> delegate) {
      super(delegate);
    }

    @Override
    protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> delegate) {
      return new AbsentIsNull(delegate);
    }

    @Override
    public ValueDeserializer<?> createContextual(
        DeserializationContext context, @Nullable BeanProperty property) {
      ValueDeserializer<?> contextual = super.createContextual(context, property);
      boolean nullable =
          property != null && RequiredComponents.isNullableComponent(property.getMember());
      return nullable ? contextual : contextual.getDelegatee();
    }

    @Override
    public @Nullable Object getAbsentValue(DeserializationContext context) {
      return null;
    }
  }
}
