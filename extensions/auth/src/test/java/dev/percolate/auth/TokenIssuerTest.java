package dev.percolate.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

final class TokenIssuerTest {

  private static final String SECRET = "a secret of more than thirty-two bytes";
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  private final TokenIssuer issuer =
      TokenIssuer.secret(SECRET)
          .issuer("books")
          .audience("shop")
          .lifetime(Duration.ofMinutes(10))
          .clock(Clock.fixed(NOW, ZoneOffset.UTC));

  @Test
  void aTokenContainsTheUser() throws Exception {
    AuthUser user =
        new AuthUser("ann", Set.of("admin"), Set.of("read"), Map.of("email", "ann@example.com"));
    SignedJWT token = SignedJWT.parse(issuer.issue(user));
    assertEquals("JWT HS256", token.getHeader().getType() + " " + token.getHeader().getAlgorithm());
    JWTClaimsSet claims = token.getJWTClaimsSet();
    assertEquals("ann", claims.getSubject());
    assertEquals("books", claims.getIssuer());
    assertEquals(List.of("shop"), claims.getAudience());
    assertEquals(NOW, claims.getIssueTime().toInstant());
    assertEquals(NOW.plusSeconds(600), claims.getExpirationTime().toInstant());
    assertEquals(List.of("admin"), claims.getClaim("roles"));
    assertEquals("read", claims.getClaim("scope"));
    assertEquals("ann@example.com", claims.getClaim("email"));
    assertEquals(36, claims.getJWTID().length());
  }

  @Test
  void claimsOfTheUserDoNotReplaceThoseOfTheIssuer() throws Exception {
    Map<String, Object> wrong =
        Map.of(
            "iss",
            "x",
            "aud",
            "x",
            "sub",
            "root",
            "exp",
            9e9,
            "nbf",
            9e9,
            "roles",
            "root",
            "scope",
            "write",
            "scp",
            List.of("write"));
    AuthUser user = new AuthUser("ann", Set.of(), Set.of(), wrong);
    JWTClaimsSet claims = SignedJWT.parse(issuer.issue(user)).getJWTClaimsSet();
    assertEquals(Set.of("iss", "aud", "sub", "exp", "iat", "jti"), claims.getClaims().keySet());
    assertEquals("ann books", claims.getSubject() + " " + claims.getIssuer());
    JWTClaimsSet plain = SignedJWT.parse(TokenIssuer.secret(SECRET).issue(user)).getJWTClaimsSet();
    assertEquals(Set.of("sub", "exp", "iat", "jti"), plain.getClaims().keySet());
  }

  @Test
  void tokensOfAnEarlierSecretAreValidUntilItIsRemoved() {
    String old = TokenIssuer.secret(SECRET).issue("ann", "admin");
    String next = "another secret of more than 32 bytes";
    TokenIssuer rotated = TokenIssuer.secret(next, SECRET);
    assertEquals("ann", rotated.verifier().verify(old).toCompletableFuture().join().name());
    String fresh = rotated.issue("bob");
    assertEquals("bob", rotated.verifier().verify(fresh).toCompletableFuture().join().name());
    TokenVerifier without = TokenIssuer.secret(next).verifier();
    assertThrows(CompletionException.class, () -> without.verify(old).toCompletableFuture().join());
  }

  @Test
  void theVerifierRequiresIssuerAndAudience() {
    TokenVerifier verifier = TokenIssuer.secret(SECRET).issuer("books").audience("shop").verifier();
    for (TokenIssuer other :
        List.of(
            TokenIssuer.secret(SECRET),
            TokenIssuer.secret(SECRET).issuer("books"),
            TokenIssuer.secret(SECRET).issuer("books").audience("other"),
            TokenIssuer.secret(SECRET).issuer("other").audience("shop"))) {
      String token = other.issue("ann");
      assertThrows(
          CompletionException.class, () -> verifier.verify(token).toCompletableFuture().join());
    }
  }

  @Test
  void invalidOptionsAreRejectedWithTheCure() {
    String message = Members.rejection(() -> TokenIssuer.secret("short"));
    assertEquals(
        "secret must have at least 32 bytes, had 5. Create one: openssl rand -base64 32", message);
    assertTrue(Members.rejection(() -> issuer.lifetime(Duration.ZERO)).startsWith("lifetime must"));
    assertTrue(Members.rejection(() -> issuer.issuer("")).startsWith("issuer must"));
    assertTrue(Members.rejection(() -> issuer.audience("")).startsWith("audience must"));
  }
}
