package dev.percolate.api;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.json.JacksonCodec;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a description says of types, made ready for requests under one codec.
 *
 * @param codec reads and writes JSON
 * @param names finds properties by the names that Java has for them
 * @param requests what bodies must be, by type
 * @param answers what answers must be, by type
 * @param schemas the schemas by type, to be shown
 * @param components what they refer to
 * @param bodies the bodies that are taken, in the order in which they are looked for
 */
record CompiledApi(
    JsonCodec codec,
    JsonPointers names,
    Map<Type, ValueRule> requests,
    Map<Type, ValueRule> answers,
    Map<Type, Map<String, Object>> schemas,
    Map<String, Map<String, Object>> components,
    List<Body> bodies) {

  /**
   * A body that is taken.
   *
   * @param content what it is
   * @param parser reads it where nobody has
   */
  record Body(Content content, Middleware parser) {}

  static CompiledApi of(Description api, JsonCodec codec) {
    List<Type> types = api.types();
    JsonMapper mapper = mapper(codec);
    Schemas schemas = new Schemas(mapper);
    Map<Type, Map<String, Object>> byType = new HashMap<>();
    types.forEach(type -> byType.put(type, schemas.of(type)));
    SchemaCheck in = new SchemaCheck(schemas.components(), ValueRule.Direction.IN, false);
    SchemaCheck out = new SchemaCheck(schemas.components(), ValueRule.Direction.OUT, true);
    Map<Type, ValueRule> requests = new HashMap<>();
    Map<Type, ValueRule> answers = new HashMap<>();
    byType.forEach(
        (type, schema) -> {
          requests.put(type, in.rule(schema));
          answers.put(type, out.rule(schema));
        });
    List<Body> bodies =
        api.bodies().stream().map(one -> new Body(one, one.parser(api.limit()))).toList();
    return new CompiledApi(
        codec, new JsonPointers(mapper), requests, answers, byType, schemas.components(), bodies);
  }

  /** Tells whether a type has constraints that a validator could check. */
  boolean isConstrained() {
    return Constraints.isAny(components);
  }

  /** Returns what a codec reads and writes types by. */
  static JsonMapper mapper(@Nullable JsonCodec codec) {
    return codec instanceof JacksonCodec jackson ? jackson.mapper() : new JacksonCodec().mapper();
  }
}
