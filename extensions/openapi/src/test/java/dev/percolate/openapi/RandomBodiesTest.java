package dev.percolate.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.harrel.jsonschema.SpecificationVersion;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.TypeRef;
import dev.percolate.framework.App;
import dev.percolate.json.JacksonCodec;
import dev.percolate.testkit.Call;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests random bodies for schemas; {@code -Drandom.bodies=1000} sets the number for each type. */
class RandomBodiesTest {

  private static final int BODIES = Integer.getInteger("random.bodies", 30);

  private final JacksonCodec codec = new JacksonCodec();
  private final Schemas schemas = new Schemas(new BeanReader(codec, false));
  private final SplittableRandom random = new SplittableRandom(5);
  private final RandomBodies valid = new RandomBodies(schemas.components(), random);
  private final SpoiltBodies spoilt = new SpoiltBodies(schemas.components(), random);

  @BeforeAll
  static void load() {
    Torture.load();
  }

  /** Types whose rules are all in their schemas. */
  static Stream<TypeRef<?>> types() {
    return Stream.of(
        new TypeRef<Torture.Everything>() {},
        new TypeRef<Torture.Order>() {},
        new TypeRef<Torture.Limits>() {},
        new TypeRef<Torture.Node>() {},
        new TypeRef<Torture.Shape>() {},
        new TypeRef<Torture.Page<Torture.Shape>>() {},
        new TypeRef<List<Torture.Order>>() {},
        new TypeRef<Map<String, Torture.Color>>() {});
  }

  @ParameterizedTest
  @MethodSource("types")
  void validBodiesAreAcceptedAndInvalidOnesRejected(TypeRef<?> type) {
    Map<String, Object> schema = schemas.of(type.type());
    App app = new App();
    Api api = Api.of("x").body(type).limit("1mb").response(204);
    app.post("/", api, (req, res) -> res.sendStatus(204));
    for (int i = 0; i < BODIES; i++) {
      Object body = valid.valid(schema);
      String text = text(body);
      assertEquals(204, status(app, text), text);
      SpoiltBodies.Spoilt faulty = spoilt.of(body, schema);
      text = text(faulty.body());
      int status = status(app, text);
      assertTrue(status == 400 || status == 422, status + ", " + faulty.kind() + ": " + text);
    }
  }

  @ParameterizedTest
  @MethodSource("types")
  void bodiesOfOtherTypesNeverCauseServerErrors(TypeRef<?> type) {
    App app = new App();
    app.post("/", Api.of("x").body(type).response(204), (req, res) -> res.sendStatus(204));
    List<Map<String, Object>> others = types().map(one -> schemas.of(one.type())).toList();
    for (int i = 0; i < BODIES; i++) {
      String text = text(valid.valid(others.get(i % others.size())));
      int status = status(app, text);
      assertTrue(Set.of(204, 400, 422).contains(status), status + " for " + text);
    }
  }

  @Test
  void allKindsOfFaultsOccur() {
    Set<String> kinds = new TreeSet<>();
    for (TypeRef<?> type : types().toList()) {
      Map<String, Object> schema = schemas.of(type.type());
      for (int i = 0; i < 200; i++) {
        kinds.add(spoilt.of(valid.valid(schema), schema).kind());
      }
    }
    assertEquals(
        Set.of(
            "another constant",
            "another type",
            "format",
            "format of a number",
            "missing",
            "unknown constant",
            "null",
            "out of range",
            "pattern",
            "too few items",
            "too long",
            "too many entries",
            "too many items",
            "too short",
            "unknown discriminator"),
        kinds);
  }

  @ParameterizedTest
  @MethodSource("types")
  void anExternalValidatorAgreesWithTheParser(TypeRef<?> type) {
    Map<String, Object> schema = schemas.of(type.type());
    Map<String, Object> whole = new LinkedHashMap<>(schema);
    whole.put("$schema", SpecificationVersion.DRAFT2020_12.getId());
    whole.put("components", Map.of("schemas", withoutReadOnly(schemas.components())));
    App app = new App();
    Api api = Api.of("x").body(type).limit("1mb").response(204);
    app.post("/", api, (req, res) -> res.sendStatus(204));
    Validator outside =
        new ValidatorFactory().withJsonNodeFactory(PlainNode.FACTORY).createValidator();
    URI compiled = outside.registerSchema(codec.read(text(whole)));
    for (int i = 0; i < BODIES; i++) {
      Object body = valid.valid(schema);
      String text = text(body);
      assertEquals(204, status(app, text), text);
      assertTrue(outside.validate(compiled, codec.read(text)).isValid(), text);
      SpoiltBodies.Spoilt faulty = spoilt.of(body, schema);
      text = text(faulty.body());
      String told = faulty.kind() + ": " + text;
      assertTrue(status(app, text) != 204, told);
      if (!faulty.kind().startsWith("format")) { // only an annotation for validators
        assertFalse(outside.validate(compiled, codec.read(text)).isValid(), told);
      }
    }
  }

  /** Returns the schemas for requests, without read-only properties. */
  private static Map<String, Object> withoutReadOnly(Map<String, Map<String, Object>> all) {
    Map<String, Object> changed = new LinkedHashMap<>();
    all.forEach(
        (name, schema) -> {
          Map<String, Object> copy = new LinkedHashMap<>(schema);
          if (schema.get("required") instanceof List<?> required) {
            Map<String, Object> properties = RandomBodies.map(schema.get("properties"));
            copy.put("required", required.stream().filter(one -> isSent(properties, one)).toList());
          }
          changed.put(name, copy);
        });
    return changed;
  }

  private static boolean isSent(Map<String, Object> properties, Object name) {
    return !RandomBodies.map(properties.get(name)).containsKey("readOnly");
  }

  private static int status(App app, String text) {
    return Call.post("/").header("Content-Type", "application/json").body(text).to(app).status();
  }

  private String text(@Nullable Object value) {
    return codec.write(value, JsonCodec.WriteOptions.COMPACT);
  }
}
