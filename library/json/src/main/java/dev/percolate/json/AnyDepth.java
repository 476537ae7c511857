package dev.percolate.json;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.Version;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.deser.jackson.JsonNodeDeserializer;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.module.SimpleDeserializers;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Removes the depth limit for values of type {@link Object}, trees, and unknown properties. Jackson
 * reads them without recursion, so its limit, which protects the stack, is needed for other types
 * only.
 */
final class AnyDepth extends SimpleModule {

  private static final long serialVersionUID = 1L;

  AnyDepth() {
    super("percolate depth");
    setDeserializerModifier(
        new ByClass((type, usual) -> type == Object.class ? new Unlimited(usual) : usual));
    setDeserializers(new SimpleDeserializers(trees()));
  }

  @Override
  public void setupModule(SetupContext context) {
    super.setupModule(context);
    context.insertAnnotationIntrospector(new Unknown());
  }

  private static Map<Class<?>, ValueDeserializer<?>> trees() {
    Map<Class<?>, ValueDeserializer<?>> trees = new LinkedHashMap<>();
    for (Class<?> type : List.of(JsonNode.class, ObjectNode.class, ArrayNode.class)) {
      trees.put(type, new Unlimited(JsonNodeDeserializer.getDeserializer(type)));
    }
    return trees;
  }

  /** Skips unknown properties, which Jackson would otherwise copy before it ignores them. */
  private static final class Unknown extends NopAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    @Override
    public Version version() {
      return Version.unknownVersion();
    }

    @Override
    public JsonIgnoreProperties.@Nullable Value findPropertyIgnoralByName(
        MapperConfig<?> config, Annotated annotated) {
      return annotated instanceof AnnotatedClass
              && config instanceof DeserializationConfig reading
              && reading.getProblemHandlers() == null
              && !reading.isEnabled(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          ? JsonIgnoreProperties.Value.forIgnoreUnknown(true)
          : null;
    }
  }

  private static final class Unlimited extends DelegatingDeserializer {

    Unlimited(ValueDeserializer<?> delegate) {
      super(delegate);
    }

    @Override
    protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> delegate) {
      return new Unlimited(delegate);
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
      return parser instanceof TapeParser tape
          ? tape.withAnyDepth(() -> getDelegatee().deserialize(tape, context))
          : super.deserialize(parser, context);
    }
  }
}
