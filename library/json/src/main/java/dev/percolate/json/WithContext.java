package dev.percolate.json;

import java.util.function.Consumer;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;

/** Runs tasks with a deserialization context, which Jackson creates only while it reads. */
final class WithContext extends ValueDeserializer<WithContext.Task> {

  /** The value that is read; it has no content. */
  record Task() {}

  /**
   * Runs a task.
   *
   * @param mapper a mapper with {@link ClientRules}
   * @param task receives the context
   */
  static void run(JsonMapper mapper, Consumer<DeserializationContext> task) {
    Object ignored =
        mapper
            .readerFor(Task.class)
            .without(DeserializationFeature.UNWRAP_ROOT_VALUE)
            .withAttribute(Task.class, task)
            .readValue("0");
  }

  @Override
  @SuppressWarnings("unchecked") // set by run
  public Task deserialize(JsonParser parser, DeserializationContext context) {
    ((Consumer<DeserializationContext>) context.getAttribute(Task.class)).accept(context);
    return new Task();
  }
}
