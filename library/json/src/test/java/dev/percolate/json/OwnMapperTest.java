package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Settings;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

class OwnMapperTest {

  record Person(String firstName, double height) {}

  record Price(BigDecimal amount) {}

  private final JsonCodec codec =
      JacksonCodec.of(
          JsonMapper.builder()
              .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
              .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
              .enable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
              .build());

  @Test
  void theNamesOfTheMapperAreUsedForReadingAndWriting() {
    Person ann = new Person("Ann", 2);
    String text = codec.write(ann, JsonCodec.WriteOptions.COMPACT);
    assertEquals("{\"first_name\":\"Ann\",\"height\":2}", text);
    assertEquals(ann, codec.read(text, Person.class));
    assertEquals(
        "[{\"first_name\":\"Ann\",\"height\":2}]",
        codec.write(List.of(ann), JsonCodec.WriteOptions.COMPACT));
  }

  @Test
  void unknownNamesAreRejectedIfTheMapperRejectsThem() {
    String text = "{\"first_name\":\"Ann\",\"height\":2,\"heigth\":1}";
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> codec.read(text, Person.class))
                .getMessage());
    assertTrue(message.contains("/heigth"), message);
    assertEquals(
        new Person("Ann", 2),
        new JacksonCodec().read("{\"firstName\":\"Ann\",\"height\":2,\"heigth\":1}", Person.class));
  }

  @Test
  void datesHaveTheFormatOfTheMapper() {
    Map<String, Instant> dates = Map.of("at", Instant.ofEpochSecond(1));
    assertEquals("{\"at\":1.000000000}", codec.write(dates, JsonCodec.WriteOptions.COMPACT));
    assertEquals(
        "{\"at\":\"1970-01-01T00:00:01.000Z\"}",
        new JacksonCodec().write(dates, JsonCodec.WriteOptions.COMPACT));
  }

  @Test
  void decimalsHaveNoExponentIfTheMapperWritesNone() {
    Price price = new Price(new BigDecimal("1E+3"));
    JsonMapper plain =
        JsonMapper.builder().enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN).build();
    assertEquals(
        "{\"amount\":1000}", JacksonCodec.of(plain).write(price, JsonCodec.WriteOptions.COMPACT));
    assertEquals(
        "{\"amount\":1E+3}", new JacksonCodec().write(price, JsonCodec.WriteOptions.COMPACT));
  }

  @Test
  void indentationAppliesToTypesOfTheMapper() {
    assertEquals(
        "{\n \"first_name\": \"Ann\",\n \"height\": 0.5\n}",
        codec.write(new Person("Ann", 0.5), new JsonCodec.WriteOptions(" ", null, null)));
  }

  @Test
  void mountedApplicationsInheritTheCodec() {
    Settings above = new Settings().set(Settings.JSON_CODEC, codec);
    Settings below = new Settings();
    below.parent(above);
    assertEquals(codec, below.jsonCodec());
    assertEquals(JacksonCodec.class, new Settings().jsonCodec().getClass());
    Exception rejected =
        assertThrows(IllegalArgumentException.class, () -> above.set("json codec", "jackson"));
    assertTrue(String.valueOf(rejected.getMessage()).contains("json codec"), rejected::getMessage);
  }
}
