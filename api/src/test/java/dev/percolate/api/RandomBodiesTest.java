package dev.percolate.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.harrel.jsonschema.SpecificationVersion;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.percolate.core.JsonCodec;
import dev.percolate.framework.App;
import dev.percolate.json.JacksonCodec;
import dev.percolate.testkit.Call;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RandomBodiesTest {

  private static final int BODIES = Integer.getInteger("random.bodies", 30);

  private final JacksonCodec codec = new JacksonCodec();

  @BeforeAll
  static void load() {
    Torture.load();
  }

  private int status(App app, Object body) {
    return Call.post("/").json(body).to(app).status();
  }

  @ParameterizedTest
  @ValueSource(classes = {Torture.Order.class, Torture.Everything.class, Torture.Node.class})
  void validBodiesAreNeverRefusedAndInvalidOnesAlways(Class<?> type) {
    Schemas schemas = new Schemas(codec.mapper());
    Map<String, Object> schema = schemas.components().get(component(schemas, type));
    RandomBodies bodies = new RandomBodies(schemas.components(), 5);
    App app = new App();
    app.post(
        "/", Api.of("x").body(type).limit("1mb").answers(204), (req, res) -> res.sendStatus(204));
    for (int i = 0; i < BODIES; i++) {
      Map<String, Object> body = RandomBodies.map(bodies.valid(schema, 0));
      String text = codec.write(body, JsonCodec.Style.COMPACT);
      assertEquals(204, status(app, body), text);
      bodies.spoil(body, schema);
      text = codec.write(body, JsonCodec.Style.COMPACT);
      int status = status(app, body);
      assertTrue(status == 400 || status == 422, status + " for " + text);
    }
  }

  @Test
  void aValidatorFromOutsideAgrees() {
    Schemas schemas = new Schemas(codec.mapper());
    String name = component(schemas, Torture.Order.class);
    Map<String, Object> whole = new LinkedHashMap<>(Schemas.ref(name));
    whole.put("$schema", SpecificationVersion.DRAFT2020_12.getId());
    whole.put("components", Map.of("schemas", schemas.components()));
    SchemaCheck check = new SchemaCheck(schemas.components(), ValueRule.Direction.IN, true);
    ValueRule rule = check.rule(Schemas.ref(name));
    RandomBodies bodies = new RandomBodies(schemas.components(), 6);
    ValidatorFactory outside = new ValidatorFactory().withJsonNodeFactory(PlainNode.FACTORY);
    Object schema = codec.read(codec.write(whole, JsonCodec.Style.COMPACT));
    for (int i = 0; i < BODIES; i++) {
      Map<String, Object> body = RandomBodies.map(bodies.valid(schemas.components().get(name), 0));
      if (i % 2 == 0) {
        bodies.spoil(body, schemas.components().get(name));
      }
      String text = codec.write(body, JsonCodec.Style.COMPACT);
      boolean valid = outside.validate(schema, codec.read(text)).isValid();
      assertEquals(valid, rule.faults(codec.read(text)).isEmpty(), text);
      assertEquals(i % 2 != 0, valid, text);
    }
  }

  private static String component(Schemas schemas, Type type) {
    return String.valueOf(Schemas.component(schemas.of(type)));
  }
}
