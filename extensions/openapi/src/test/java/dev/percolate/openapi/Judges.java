package dev.percolate.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.harrel.jsonschema.SpecificationVersion;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.TypeRef;
import dev.percolate.framework.App;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a body matches a type, in three ways: with a plain route, a described route, and
 * a schema validator that reads the document.
 */
final class Judges {

  /** Changes the settings of the application. */
  UnaryOperator<App> settings = app -> app;

  /** Asserts that all three accept a body. */
  void takes(TypeRef<?> type, String... bodies) {
    for (String body : bodies) {
      assertEquals("takes takes takes", of(type, body), type.type() + ": " + body);
    }
  }

  /** Asserts that all three reject a body. */
  void rejects(TypeRef<?> type, String... bodies) {
    for (String body : bodies) {
      assertEquals("refuses refuses refuses", of(type, body), type.type() + ": " + body);
    }
  }

  /** Returns the verdicts of a plain route, a described route and the document. */
  String of(TypeRef<?> type, String body) {
    String json = body.replace('\'', '"');
    App app = settings.apply(new App());
    app.post("/plain", BodyParsers.json(), (req, res) -> res.status(read(req.body(type))).end());
    app.post(
        "/described",
        Api.of("x").body(type).response(204),
        (req, res) -> res.status(read(req.body(type))).end());
    return judgement(status(app, "/plain", json) == 204)
        + " "
        + judgement(status(app, "/described", json) == 204)
        + " "
        + judgement(isAllowed(app, json));
  }

  private static int read(@Nullable Object value) {
    return value == null ? 500 : 204;
  }

  private static String judgement(boolean takes) {
    return takes ? "takes" : "refuses";
  }

  private static int status(App app, String path, String json) {
    int status =
        Call.post(path).header("Content-Type", "application/json").body(json).to(app).status();
    assertTrue(status == 204 || status == 400, path + " " + status + ": " + json);
    return status;
  }

  /** Validates with an external validator against the schema in the document. */
  private static boolean isAllowed(App app, String json) {
    Map<String, Object> document = OpenApi.of(app).document();
    Map<String, Object> whole = new LinkedHashMap<>(requestSchema(document));
    whole.put("$schema", SpecificationVersion.DRAFT2020_12.getId());
    whole.put("components", withoutReadOnly(RandomBodies.map(document.get("components"))));
    Validator validator =
        new ValidatorFactory().withJsonNodeFactory(PlainNode.FACTORY).createValidator();
    JsonCodec codec = app.settings().jsonCodec();
    URI schema =
        validator.registerSchema(codec.read(codec.write(whole, JsonCodec.WriteOptions.COMPACT)));
    return validator.validate(schema, codec.read(json)).isValid();
  }

  private static Map<String, Object> requestSchema(Map<String, Object> document) {
    Map<String, Object> at = document;
    for (String step :
        List.of(
            "paths",
            "/described",
            "post",
            "requestBody",
            "content",
            "application/json",
            "schema")) {
      at = RandomBodies.map(at.get(step));
    }
    return at;
  }

  /** Returns the schemas for requests, in which read-only properties are not required. */
  private static Map<String, Object> withoutReadOnly(Map<String, Object> components) {
    Map<String, Object> changed = new LinkedHashMap<>();
    RandomBodies.map(components.get("schemas"))
        .forEach(
            (name, value) -> {
              Map<String, Object> schema = new LinkedHashMap<>(RandomBodies.map(value));
              Map<String, Object> properties =
                  schema.get("properties") instanceof Map
                      ? RandomBodies.map(schema.get("properties"))
                      : Map.of();
              if (schema.get("required") instanceof List<?> required) {
                schema.put(
                    "required",
                    required.stream()
                        .filter(
                            one ->
                                !(properties.get(one) instanceof Map<?, ?> property)
                                    || !Boolean.TRUE.equals(property.get("readOnly")))
                        .toList());
              }
              changed.put(name, schema);
            });
    return Map.of("schemas", changed);
  }

  /** Returns the properties of a component of the document. */
  static Map<String, Object> properties(TypeRef<?> type, String component) {
    App app = new App();
    app.post("/described", Api.of("x").body(type).response(204), (req, res) -> res.end());
    Map<String, Object> components = RandomBodies.map(OpenApi.of(app).document().get("components"));
    Map<String, Object> schemas = RandomBodies.map(components.get("schemas"));
    return RandomBodies.map(RandomBodies.map(schemas.get(component)).get("properties"));
  }
}
