package dev.percolate.json;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.Deserializers;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.ext.jdk8.Jdk8OptionalDeserializer;
import tools.jackson.databind.jsontype.TypeDeserializer;
import tools.jackson.databind.type.ReferenceType;

/**
 * Reads an absent component of type {@code @Nullable Optional} as null, and a null as an empty
 * optional, so that partial updates can distinguish them. Jackson reads both as an empty optional.
 */
final class AbsentOptionals extends Deserializers.Base {

  @Override
  public boolean hasDeserializerFor(DeserializationConfig config, Class<?> type) {
    return type == Optional.class;
  }

  /** Replaces Jackson's own deserializer of optionals, to which modifiers are not applied. */
  @Override
  public @Nullable ValueDeserializer<?> findReferenceDeserializer(
      ReferenceType type,
      DeserializationConfig config,
      BeanDescription.Supplier description,
      @Nullable TypeDeserializer contentType,
      @Nullable ValueDeserializer<?> content) {
    return type.getRawClass() == Optional.class
        ? new AbsentIsNull(new Jdk8OptionalDeserializer(type, null, contentType, content))
        : null;
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
