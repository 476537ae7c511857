package dev.percolate.api;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.json.JacksonCodec;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a description says of types, made ready for requests under one codec.
 *
 * @param codec reads and writes JSON
 * @param lenient whether it reads leniently, see {@link Settings#JSON_LENIENT}
 * @param names finds properties by the names that Java has for them
 * @param answers what answers must be, by type
 * @param schemas the schemas by type, to be shown
 * @param components what they refer to
 * @param bodies the bodies that are taken, in the order in which they are looked for
 */
record CompiledApi(
    JsonCodec codec,
    boolean lenient,
    JsonPointers names,
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

  static CompiledApi of(Description api, Settings settings) {
    JsonCodec codec = settings.jsonCodec();
    BeanReader beans = beans(settings);
    Schemas schemas = new Schemas(beans);
    Map<Type, Map<String, Object>> byType = new HashMap<>();
    api.types().forEach(type -> byType.put(type, schemas.of(type)));
    SchemaCheck check = new SchemaCheck(schemas.components());
    Map<Type, ValueRule> answers = new HashMap<>();
    byType.forEach((type, schema) -> answers.put(type, check.rule(schema)));
    List<Body> bodies =
        api.bodies().stream().map(one -> new Body(one, one.parser(api.limit()))).toList();
    return new CompiledApi(
        codec,
        isLenient(settings),
        new JsonPointers(beans),
        answers,
        byType,
        schemas.components(),
        bodies);
  }

  /** Returns whether it is still right for an application. */
  boolean isFor(Settings settings) {
    return codec == settings.jsonCodec() && lenient == isLenient(settings);
  }

  /** Tells whether a type has constraints that a validator could check. */
  boolean isConstrained() {
    return Constraints.isAny(components);
  }

  /** Returns what an application reads and writes types by. */
  static BeanReader beans(Settings settings) {
    JacksonCodec codec =
        settings.jsonCodec() instanceof JacksonCodec jackson ? jackson : new JacksonCodec();
    return new BeanReader(codec, isLenient(settings));
  }

  private static boolean isLenient(Settings settings) {
    return Boolean.TRUE.equals(settings.get(Settings.JSON_LENIENT));
  }
}
