package dev.percolate.json;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;

/** Calls functions with a deserialization context, which Jackson creates only while it reads. */
final class WithContext extends ValueDeserializer<WithContext.Result> {

  /** The value that is read: the result of the function. */
  record Result(@Nullable Object value) {}

  /**
   * Calls a function.
   *
   * @param mapper a mapper with {@link ClientRules}
   * @param function receives the context
   * @return the result of the function
   */
  @SuppressWarnings("unchecked") // made by the function
  static <T> @Nullable T call(JsonMapper mapper, Function<DeserializationContext, T> function) {
    Result result =
        mapper
            .readerFor(Result.class)
            .without(DeserializationFeature.UNWRAP_ROOT_VALUE)
            .withAttribute(Result.class, function)
            .readValue("0");
    return (T) result.value();
  }

  @Override
  @SuppressWarnings("unchecked") // set by call
  public Result deserialize(JsonParser parser, DeserializationContext context) {
    Object function = context.getAttribute(Result.class);
    return new Result(((Function<DeserializationContext, ?>) function).apply(context));
  }
}
