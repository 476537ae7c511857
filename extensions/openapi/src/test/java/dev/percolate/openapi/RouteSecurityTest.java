package dev.percolate.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.SecurityScheme;
import dev.percolate.core.TraitsProvider;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.json.JacksonCodec;
import dev.percolate.testkit.Call;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Described routes show the security schemes that middleware declares in its traits. */
final class RouteSecurityTest {

  private record Declared(MiddlewareTraits traits) implements Middleware, TraitsProvider {

    @Override
    public void handle(Request req, Response res, Next next) {
      next.run();
    }
  }

  private static final Declared TOKEN =
      new Declared(MiddlewareTraits.of("token").authenticatesBy(SecurityScheme.bearer("token")));
  private static final Declared KEY =
      new Declared(
          MiddlewareTraits.of("key").authenticatesBy(SecurityScheme.apiKey("key", "X-API-Key")));
  private static final Declared LOGIN =
      new Declared(
          MiddlewareTraits.of("login")
              .authenticatesBy(SecurityScheme.openIdConnect("login", "https://id.example")));
  private static final Declared REQUIRED =
      new Declared(MiddlewareTraits.of("guard").requiresUser());
  private static final Declared ADMIN =
      new Declared(MiddlewareTraits.of("guard").requiresUser("admin"));

  private static final Declared BASIC =
      new Declared(
          MiddlewareTraits.of("basic")
              .authenticatesBy(SecurityScheme.basic("basic"))
              .requiresUser());

  private static final Api API = Api.of("x").response(204);

  private final App app = new App();

  @Test
  void aRouteShowsTheSchemesBeforeItIfItRequiresAUser() {
    app.use("/api", TOKEN);
    app.use("/api", KEY);
    app.get("/api/open", API, (req, res) -> res.sendStatus(204));
    app.get("/api/mine", REQUIRED, API, (req, res) -> res.sendStatus(204));
    app.get("/api/all", API, ADMIN, (req, res) -> res.sendStatus(204));
    app.get("/other", API, (req, res) -> res.sendStatus(204));
    assertNull(at("paths", "/api/open", "get", "security"));
    assertNull(at("paths", "/other", "get", "security"));
    assertEquals(
        "[{\"token\":[]},{\"key\":[]}]", text(at("paths", "/api/mine", "get", "security")));
    assertEquals(
        "[{\"token\":[\"admin\"]},{\"key\":[\"admin\"]}]",
        text(at("paths", "/api/all", "get", "security")));
    assertEquals(
        "{\"token\":{\"type\":\"http\",\"scheme\":\"bearer\",\"bearerFormat\":\"JWT\"},"
            + "\"key\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"X-API-Key\"}}",
        text(at("components", "securitySchemes")));
  }

  @Test
  void middlewareThatRejectsRequestsItselfIsNotAnAlternative() {
    app.use(TOKEN);
    app.use(KEY);
    app.get("/one", BASIC, API, (req, res) -> res.sendStatus(204));
    app.get("/two", BASIC, REQUIRED, API, (req, res) -> res.sendStatus(204));
    assertEquals("[{\"basic\":[]}]", text(at("paths", "/one", "get", "security")));
    assertEquals(
        "[{\"basic\":[],\"token\":[]},{\"basic\":[],\"key\":[]}]",
        text(at("paths", "/two", "get", "security")));
  }

  @Test
  void theResponsesOfRejectedRequestsAreDeclared() {
    app.use(TOKEN);
    app.get("/mine", REQUIRED, API, (req, res) -> res.sendStatus(204));
    app.get("/all", ADMIN, API, (req, res) -> res.sendStatus(204));
    assertEquals(
        Set.of("204", "401"), ((Map<?, ?>) at("paths", "/mine", "get", "responses")).keySet());
    assertEquals(
        Set.of("204", "401", "403"),
        ((Map<?, ?>) at("paths", "/all", "get", "responses")).keySet());
  }

  @Test
  void rolesAreNotScopesOfAProvider() {
    app.use(LOGIN);
    app.get("/all", ADMIN, API, (req, res) -> res.sendStatus(204));
    assertEquals("[{\"login\":[]}]", text(at("paths", "/all", "get", "security")));
  }

  @Test
  void whatTheDescriptionDeclaresWins() {
    app.use(TOKEN);
    app.get("/a", REQUIRED, API.security("other"), (req, res) -> res.sendStatus(204));
    assertEquals("[{\"other\":[]}]", text(at("paths", "/a", "get", "security")));
    Map<String, Object> own =
        OpenApi.of(app).security("token", Map.of("type", "mutualTLS")).document();
    assertEquals("mutualTLS", at(own, "components", "securitySchemes", "token", "type"));
  }

  @Test
  void withoutASchemeNothingIsShown() {
    app.get("/a", REQUIRED, API, (req, res) -> res.sendStatus(204));
    assertNull(at("paths", "/a", "get", "security"));
    assertNull(at("components", "securitySchemes"));
  }

  @Test
  void aChallengeNeedNotBeDeclared() {
    app.get(
        "/a",
        API,
        (req, res, next) -> {
          res.set("WWW-Authenticate", "Bearer");
          next.fail(new HttpError(401));
        });
    assertEquals(401, Call.get("/a").to(app).status());
  }

  private @Nullable Object at(String... names) {
    return at(OpenApi.of(app).document(), names);
  }

  private static @Nullable Object at(Map<String, Object> document, String... names) {
    Object found = document;
    for (String name : names) {
      found = found instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return found;
  }

  private static String text(@Nullable Object value) {
    return new JacksonCodec().write(value, JsonCodec.WriteOptions.COMPACT);
  }
}
