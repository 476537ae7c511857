package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Code of the recipe for configuration. */
final class ConfigurationRecipeTest {

  // #region configuration
  record Configuration(Optional<Integer> port, String databaseUrl, Optional<String> mailHost) {

    private static final JsonMapper MAPPER =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.UPPER_SNAKE_CASE)
            .build();

    Configuration {
      Objects.requireNonNull(databaseUrl, "DATABASE_URL is missing");
    }

    /** Reads a file, if it exists. Environment variables override its values. */
    static Configuration read(Path file, Map<String, String> environment) throws IOException {
      Properties values = new Properties();
      if (Files.exists(file)) {
        try (Reader reader = Files.newBufferedReader(file)) {
          values.load(reader);
        }
      }
      values.putAll(environment);
      return MAPPER.convertValue(new HashMap<>(values), Configuration.class);
    }
  }

  // #endregion configuration

  @TempDir private Path folder;

  @Test
  void environmentVariablesOverrideTheFile() throws IOException {
    Path file = folder.resolve("app.properties");
    Files.writeString(file, "PORT = 8080\nDATABASE_URL = jdbc:h2:mem:test\n");
    Configuration read = Configuration.read(file, Map.of("PORT", "9090", "HOME", "/root"));
    assertEquals(new Configuration(Optional.of(9090), "jdbc:h2:mem:test", Optional.empty()), read);
  }

  @Test
  void aMissingOrInvalidValueIsNamed() {
    Path none = folder.resolve("none");
    assertNamed("DATABASE_URL is missing", none, Map.of());
    assertNamed("PORT", none, Map.of("PORT", "many", "DATABASE_URL", "x"));
  }

  private static void assertNamed(String name, Path file, Map<String, String> environment) {
    Exception error = assertThrows(Exception.class, () -> Configuration.read(file, environment));
    assertTrue(String.valueOf(error.getMessage()).contains(name), error::toString);
  }
}
