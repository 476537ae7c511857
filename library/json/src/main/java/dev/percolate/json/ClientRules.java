package dev.percolate.json;

import dev.percolate.core.FormFile;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

/**
 * Adds the rules for JSON of clients to a mapper. No {@linkplain FormFile files} can be read, since
 * clients would choose their paths. Unless reading is lenient, record components are required
 * ({@link RequiredComponents}), and a value must have the JSON type that API descriptions name
 * ({@link ScalarGuard}): a number is not read as a string, nor a string as a number.
 */
final class ClientRules extends SimpleModule {

  private static final long serialVersionUID = 1L;

  /** The guard of strict rules; null if reading is lenient. */
  private final @Nullable ScalarGuard scalars;

  private ClientRules(@Nullable ScalarGuard scalars) {
    super("percolate client rules");
    this.scalars = scalars;
    setDeserializerModifier(
        new ByClass(
            (type, usual) -> FormFile.class.isAssignableFrom(type) ? new Rejection(type) : usual));
    addDeserializer(WithContext.Result.class, new WithContext());
  }

  /** Returns a mapper that reads JSON of clients. */
  static JsonMapper mapper(JsonMapper base, boolean lenient) {
    ScalarGuard scalars = lenient ? null : new ScalarGuard(base);
    JsonMapper.Builder builder = base.rebuild().addModule(new ClientRules(scalars));
    int depth = base.tokenStreamFactory().streamReadConstraints().getMaxNestingDepth();
    if (depth == StreamReadConstraints.DEFAULT_MAX_DEPTH) { // not chosen by the application
      builder.addModule(new AnyDepth());
    }
    if (!lenient) {
      builder
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .withCoercionConfig(
              LogicalType.Textual,
              texts ->
                  texts
                      .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
    }
    return builder.build();
  }

  @Override
  public void setupModule(SetupContext context) {
    super.setupModule(context);
    context.addValueInstantiators(new IgnoredComponents());
    if (scalars != null) {
      context.insertAnnotationIntrospector(new RequiredComponents());
      context.addDeserializerModifier(scalars);
      context.addDeserializers(new AbsentOptionals());
    }
  }

  /** Rejects files of one type. */
  private static final class Rejection extends ValueDeserializer<Object> {

    private final Class<?> type;

    Rejection(Class<?> type) {
      this.type = type;
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context) {
      return context.reportInputMismatch(type, "a file cannot be read from JSON");
    }
  }
}
