package dev.percolate.openapi;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.json.JacksonCodec;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A description compiled for requests with one codec.
 *
 * @param api the description
 * @param codec reads and writes JSON
 * @param lenient whether it reads leniently; see {@link Settings#JSON_LENIENT}
 * @param schemas the schemas of requests and responses by type
 * @param components the components of the schemas
 * @param bodies the accepted bodies, in order of lookup
 */
record CompiledApi(
    Description api,
    JsonCodec codec,
    boolean lenient,
    Map<Type, Map<String, Object>> schemas,
    Map<String, Map<String, Object>> components,
    List<Body> bodies) {

  /**
   * An accepted body.
   *
   * @param content the content of the body
   * @param parser parses the body if it has not been parsed
   */
  record Body(Content content, Middleware parser) {}

  static CompiledApi of(Description api, Settings settings) {
    JsonCodec codec = settings.jsonCodec();
    BeanReader beans = beans(settings);
    Schemas schemas = new Schemas(beans);
    Map<Type, Map<String, Object>> byType = new HashMap<>();
    api.types().forEach(type -> byType.put(type, schemas.of(type)));
    List<Body> bodies =
        api.allBodies().stream().map(one -> new Body(one, one.parser(api.limit))).toList();
    return new CompiledApi(api, codec, isLenient(settings), byType, schemas.components(), bodies);
  }

  /** Returns true if this is up to date for the settings of an application. */
  boolean isFor(Settings settings) {
    return codec == settings.jsonCodec() && lenient == isLenient(settings);
  }

  /** Returns true if a type has constraints that a validator could check. */
  boolean isConstrained() {
    return Constraints.isAny(components);
  }

  /** Returns the reader for the types of an application. */
  static BeanReader beans(Settings settings) {
    JacksonCodec codec =
        settings.jsonCodec() instanceof JacksonCodec jackson ? jackson : new JacksonCodec();
    return new BeanReader(codec, isLenient(settings));
  }

  private static boolean isLenient(Settings settings) {
    return Boolean.TRUE.equals(settings.get(Settings.JSON_LENIENT));
  }
}
