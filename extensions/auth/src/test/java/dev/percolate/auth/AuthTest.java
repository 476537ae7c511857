package dev.percolate.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.TraitsProvider;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class AuthTest {

  private static final TokenIssuer TOKENS =
      TokenIssuer.secret("a secret of more than thirty-two bytes");
  private static final BearerAuth BEARER = BearerAuth.of(TOKENS.verifier());
  private static final ApiKeyAuth KEYS = ApiKeyAuth.of(hash -> null);

  @Test
  void withoutAUserTheResponseHasTheChallengesOfEarlierMiddleware() {
    Reply reply = Members.reply(Call.get("/"), BEARER, KEYS, Auth.required(), Members.SHOW);
    assertEquals(401, reply.status());
    assertEquals(
        List.of("Bearer realm=\"api\"", "ApiKey realm=\"api\""), reply.all("WWW-Authenticate"));
    assertEquals(401, Members.reply(Call.get("/"), BEARER, Auth.role("x")).status());
    assertEquals(401, Members.reply(Call.get("/"), BEARER, Auth.scope("x")).status());
  }

  @Test
  void aRequestWithAUserPasses() {
    assertEquals(
        "200 ann", Members.outcome(as(AuthUser.of("ann")), BEARER, Auth.required(), Members.SHOW));
  }

  @Test
  void oneOfTheRolesSuffices() {
    Middleware guard = Auth.role("admin", "editor");
    assertEquals(
        "200 ann", Members.outcome(as(AuthUser.of("ann", "editor")), BEARER, guard, Members.SHOW));
    Reply reply = Members.reply(as(AuthUser.of("bob", "reader")), BEARER, guard, Members.SHOW);
    assertEquals(403, reply.status());
    assertEquals(
        "Bearer realm=\"api\", error=\"insufficient_scope\"", reply.header("WWW-Authenticate"));
  }

  @Test
  void allScopesAreNeeded() {
    Middleware guard = Auth.scope("books:read", "books:write");
    AuthUser writer = new AuthUser("ann", Set.of(), Set.of("books:read", "books:write"), Map.of());
    assertEquals("200 ann", Members.outcome(as(writer), BEARER, guard, Members.SHOW));
    AuthUser reader = new AuthUser("bob", Set.of("admin"), Set.of("books:read"), Map.of());
    Reply reply = Members.reply(as(reader), BEARER, guard, Members.SHOW);
    assertEquals(403, reply.status());
    assertEquals(
        "Bearer realm=\"api\", error=\"insufficient_scope\", scope=\"books:read books:write\"",
        reply.header("WWW-Authenticate"));
  }

  @Test
  void ownMiddlewareMaySetTheUser() {
    Middleware own =
        (req, res, next) -> {
          if (req.query("user") != null) {
            req.attr(Auth.USER, AuthUser.of("own", "admin"));
          }
          next.run();
        };
    assertEquals(
        "200 own", Members.outcome(Call.get("/?user=x"), own, Auth.role("admin"), Members.SHOW));
    Reply rejected = Members.reply(Call.get("/?user=x"), own, Auth.role("other"), Members.SHOW);
    assertEquals(403, rejected.status());
    assertNull(rejected.header("WWW-Authenticate"));
    Reply unknown = Members.reply(Call.get("/"), own, Auth.required(), Members.SHOW);
    assertEquals(
        "401 Login realm=\"api\"", unknown.status() + " " + unknown.header("WWW-Authenticate"));
  }

  @Test
  void anApplicationWithoutAuthenticationDoesNotStart() {
    App app = new App();
    app.get("/", Auth.role("admin"), Members.SHOW);
    IllegalStateException error = assertThrows(IllegalStateException.class, app::checkStart);
    assertTrue(
        error.getMessage().contains("Auth.role(…) has no authentication before it"),
        error::getMessage);
    App below = new App();
    below.get("/", Auth.required(), Members.SHOW);
    below.use(BEARER);
    assertThrows(IllegalStateException.class, below::checkStart);
    new App().use(BEARER).get("/", Auth.required(), Members.SHOW).checkStart();
    new App()
        .use((req, res, next) -> next.run())
        .get("/", Auth.required(), Members.SHOW)
        .checkStart();
  }

  @Test
  void traitsDeclareTheRequiredRolesAndScopes() {
    MiddlewareTraits traits = ((TraitsProvider) Auth.role("admin", "editor")).traits();
    assertEquals(List.of("admin", "editor"), traits.access());
    assertEquals(List.of(), ((TraitsProvider) Auth.required()).traits().access());
    assertEquals(List.of("a"), ((TraitsProvider) Auth.scope("a")).traits().access());
    assertEquals("bearer", BEARER.traits().securityScheme().name());
    assertEquals("X-API-Key", KEYS.traits().securityScheme().definition().get("name"));
  }

  @Test
  void invalidNamesAreRejected() {
    assertThrows(IllegalArgumentException.class, () -> Auth.role());
    assertThrows(IllegalArgumentException.class, () -> Auth.scope());
    for (String scope : List.of("", "a b", "a\"b", "a\\b", "\u00e4")) {
      assertThrows(IllegalArgumentException.class, () -> Auth.scope(scope), scope);
    }
    assertThrows(IllegalArgumentException.class, () -> AuthUser.of(""));
  }

  private static Call as(AuthUser user) {
    return Call.get("/").header("Authorization", "Bearer " + TOKENS.issue(user));
  }
}
