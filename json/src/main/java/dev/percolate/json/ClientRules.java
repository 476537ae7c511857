package dev.percolate.json;

import dev.percolate.core.FormFile;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.module.SimpleModule;

/**
 * Adds to a mapper what holds for texts of clients: they make no {@linkplain FormFile files}, whose
 * paths they would choose; and where it is not lenient, {@link RequiredComponents}.
 */
final class ClientRules extends SimpleModule {

  private static final long serialVersionUID = 1L;

  private final boolean lenient;

  ClientRules(boolean lenient) {
    super("percolate client rules");
    this.lenient = lenient;
    setDeserializerModifier(new NoFiles());
  }

  @Override
  public void setupModule(SetupContext context) {
    super.setupModule(context);
    if (!lenient) {
      context.insertAnnotationIntrospector(new RequiredComponents());
    }
  }

  /** Refuses each file. */
  private static final class NoFiles extends ValueDeserializerModifier {

    private static final long serialVersionUID = 1L;

    @Override
    public ValueDeserializer<?> modifyDeserializer(
        DeserializationConfig config,
        BeanDescription.Supplier description,
        ValueDeserializer<?> deserializer) {
      Class<?> type = description.getBeanClass();
      return FormFile.class.isAssignableFrom(type) ? new Refusal(type) : deserializer;
    }
  }

  /** Refuses files of one type. */
  private static final class Refusal extends ValueDeserializer<Object> {

    private final Class<?> type;

    Refusal(Class<?> type) {
      this.type = type;
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context) {
      return context.reportInputMismatch(type, "a file is no JSON");
    }
  }
}
