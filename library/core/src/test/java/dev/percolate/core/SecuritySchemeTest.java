package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SecuritySchemeTest {

  @Test
  void definitionsAreThoseOfOpenApi() {
    assertEquals(
        "{type=http, scheme=bearer, bearerFormat=JWT}",
        SecurityScheme.bearer("token").definition().toString());
    assertEquals(
        "{type=http, scheme=basic}", SecurityScheme.basic("basic").definition().toString());
    assertEquals(
        "{type=apiKey, in=header, name=X-API-Key}",
        SecurityScheme.apiKey("key", "X-API-Key").definition().toString());
    assertEquals(
        "{type=openIdConnect, openIdConnectUrl=https://id.example/metadata}",
        SecurityScheme.openIdConnect("login", "https://id.example/metadata")
            .definition()
            .toString());
  }

  @Test
  void aNameMustBeUsableInADocument() {
    for (String name : List.of("", "a b", "a/b", "\u00e4")) {
      assertThrows(
          IllegalArgumentException.class, () -> SecurityScheme.bearer(name), () -> "\"" + name);
    }
  }

  @Test
  void aDefinitionMustHaveAType() {
    assertThrows(IllegalArgumentException.class, () -> new SecurityScheme("token", Map.of()));
  }

  @Test
  void traitsDeclareASchemeAndTheAccessThatAUserNeeds() {
    SecurityScheme scheme = SecurityScheme.bearer("token");
    MiddlewareTraits traits = MiddlewareTraits.of("token-auth").authenticatesBy(scheme);
    assertTrue(traits.isAuthentication());
    assertEquals(scheme, traits.beforeRoutes().once().provides().requires().securityScheme());
    assertNull(traits.access());
    assertEquals(List.of(), traits.requiresUser().access());
    assertEquals(List.of("admin"), traits.requiresUser("admin").authenticates().access());
    assertNull(MiddlewareTraits.of("logger").securityScheme());
  }
}
