package dev.percolate.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.percolate.core.AsyncHandler;
import dev.percolate.http.HttpError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tokens are valid, with keys of an issuer and with a secret. */
final class TokenVerifierTest {

  private static final String ISSUER = "https://id.example.com";
  private static final String SECRET = "a secret of more than thirty-two bytes";
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  private static RSAKey rsa;
  private static ECKey ec;

  private final TokenVerifier verifier =
      TokenVerifier.of(ISSUER, "books")
          .clock(CLOCK)
          .keys(header -> CompletableFuture.completedFuture(new JWKSet(List.<JWK>of(rsa, ec))));

  @BeforeAll
  static void keys() throws Exception {
    rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
    ec = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
  }

  @Test
  void aTokenOfTheIssuerIsTheUser() throws Exception {
    JWTClaimsSet claims =
        claims()
            .claim("roles", List.of("admin", "reader"))
            .claim("scope", "books:read books:write")
            .claim("email", "ann@example.com")
            .build();
    for (String token : List.of(signed(rsa, claims), signed(ec, claims))) {
      AuthUser user = verifier.verify(token).toCompletableFuture().join();
      assertEquals("ann", user.name());
      assertEquals(Set.of("admin", "reader"), user.roles());
      assertEquals(Set.of("books:read", "books:write"), user.scopes());
      assertEquals("ann@example.com", user.claim("email"));
      assertEquals("AuthUser[ann]", user.toString());
    }
  }

  @Test
  void anUnsignedTokenIsRejected() {
    assertInvalid(new PlainJWT(claims().build()).serialize());
    String header = encoded("{\"alg\":\"none\",\"kid\":\"rsa\"}");
    String payload = encoded(claims().build().toString());
    assertInvalid(header + "." + payload + ".");
    assertInvalid(header + "." + payload + ".c2ln");
    assertInvalid(encoded("{\"alg\":\"None\"}") + "." + payload + ".c2ln");
  }

  @Test
  void aPublicKeyIsNotASecret() throws Exception {
    for (byte[] secret :
        List.of(
            rsa.toRSAPublicKey().getEncoded(),
            rsa.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8),
            rsa.getModulus().decode())) {
      JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa").build();
      SignedJWT token = new SignedJWT(header, claims().build());
      token.sign(new MACSigner(secret));
      assertInvalid(token.serialize());
    }
  }

  @Test
  void aSecretInAJwkSetIsNotUsed() throws Exception {
    byte[] secret = SECRET.getBytes(StandardCharsets.UTF_8);
    JWK key = new OctetSequenceKey.Builder(secret).keyID("oct").build();
    TokenVerifier with =
        verifier.keys(header -> CompletableFuture.completedFuture(new JWKSet(key)));
    JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("oct").build();
    SignedJWT token = new SignedJWT(header, claims().build());
    token.sign(new MACSigner(secret));
    assertEquals(InvalidTokenException.INVALID, failure(with, token.serialize()));
  }

  @Test
  void aTokenWithAnotherSignatureOrKeyIsRejected() throws Exception {
    ECKey other = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
    assertInvalid(signed(other, claims().build()));
    ECKey unknown = new ECKeyGenerator(Curve.P_256).keyID("unknown").generate();
    assertInvalid(signed(unknown, claims().build()));
    String token = signed(ec, claims().build());
    String[] parts = token.split("\\.", -1);
    String forged = encoded(claims().subject("root").build().toString());
    assertInvalid(parts[0] + "." + forged + "." + parts[2]);
    assertInvalid(parts[0] + "." + parts[1] + ".");
  }

  @Test
  void wrongClaimsAreRejected() throws Exception {
    for (JWTClaimsSet wrong :
        List.of(
            claims().audience("shop").build(),
            claims().audience((String) null).build(),
            claims().issuer("https://evil.example").build(),
            claims().issuer(ISSUER + "/").build(),
            claims().issuer(null).build(),
            claims().expirationTime(null).build(),
            claims().subject(null).build(),
            claims().subject("").build(),
            claims().notBeforeTime(at(Duration.ofMinutes(2))).build(),
            claims().issueTime(at(Duration.ofMinutes(2))).build())) {
      assertInvalid(signed(ec, wrong));
    }
    AuthUser user =
        verifier
            .verify(signed(ec, claims().audience(List.of("shop", "books")).build()))
            .toCompletableFuture()
            .join();
    assertEquals("ann", user.name());
  }

  @Test
  void anExpiredTokenIsRejectedAfterTheToleratedDifferenceOfClocks() throws Exception {
    String expired = signed(ec, claims().expirationTime(at(Duration.ofSeconds(-30))).build());
    assertEquals("ann", verifier.verify(expired).toCompletableFuture().join().name());
    assertEquals(
        InvalidTokenException.EXPIRED, failure(verifier.clockSkew(Duration.ZERO), expired));
    String old = signed(ec, claims().expirationTime(at(Duration.ofSeconds(-61))).build());
    assertEquals(InvalidTokenException.EXPIRED, failure(verifier, old));
  }

  @Test
  void tokensOfOtherTypesAreRejected() throws Exception {
    for (String type : List.of("JWT", "at+jwt", "application/at+jwt")) {
      String token = typed(type);
      assertEquals("ann", verifier.verify(token).toCompletableFuture().join().name(), type);
    }
    assertInvalid(typed("logout+jwt"));
    assertInvalid(typed("dpop+jwt"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".", "..", "a.b.c", "a.b.c.d.e", "eyJhbGciOiJFUzI1NiJ9.e30.", "\u00e4.b.c"})
  void malformedTokensAreRejected(String token) {
    assertInvalid(token);
  }

  @Test
  void datesThatOverflowAreRejected() throws Exception {
    for (Object large : List.of(Long.MAX_VALUE, 1e300)) {
      assertInvalid(signed(ec, claims().claim("iat", large).build()));
      assertInvalid(signed(ec, claims().claim("nbf", large).build()));
    }
  }

  @Test
  void aKeyIdOfASecretIsAHint() throws Exception {
    String earlier = "an earlier secret of thirty-two bytes";
    TokenVerifier secrets = TokenVerifier.secret(SECRET, earlier).clock(CLOCK);
    assertEquals("ann", user(secrets, withKeyId(SECRET)).name());
    assertEquals("ann", user(secrets, withKeyId(earlier)).name());
    assertEquals(
        InvalidTokenException.INVALID,
        failure(secrets, withKeyId("another secret of thirty-two bytes!!")));
  }

  private static String withKeyId(String secret) throws Exception {
    JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("2024").build();
    SignedJWT token = new SignedJWT(header, claims().build());
    token.sign(new MACSigner(secret));
    return token.serialize();
  }

  @Test
  void aTokenOfAMegabyteIsRejectedBeforeItIsParsed() throws Exception {
    assertInvalid("a".repeat(1 << 20));
    String large = signed(ec, claims().claim("text", "x".repeat(1 << 20)).build());
    assertInvalid(large);
    String nested = "[".repeat(6000) + "]".repeat(6000);
    assertInvalid(encoded("{\"alg\":\"ES256\",\"x\":" + nested + "}") + ".e30.c2ln");
  }

  @Test
  void tokensOfASecretAreNotAcceptedByKeysAndViceVersa() throws Exception {
    String ours = TokenIssuer.secret(SECRET).clock(CLOCK).issue("ann");
    assertInvalid(ours);
    TokenVerifier secret = TokenVerifier.secret(SECRET).clock(CLOCK);
    assertEquals("ann", secret.verify(ours).toCompletableFuture().join().name());
    assertEquals(InvalidTokenException.INVALID, failure(secret, signed(ec, claims().build())));
    assertEquals(InvalidTokenException.INVALID, failure(secret, signed(rsa, claims().build())));
  }

  @Test
  void unavailableKeysAreNotAnInvalidToken() throws Exception {
    TokenVerifier down =
        verifier.keys(header -> CompletableFuture.failedFuture(new IOException("down")));
    String token = signed(ec, claims().build());
    CompletionException error =
        assertThrows(
            CompletionException.class, () -> down.verify(token).toCompletableFuture().join());
    HttpError status = assertInstanceOf(HttpError.class, AsyncHandler.unwrap(error));
    assertEquals(503, status.status());
    assertEquals("down", status.getCause().getMessage());
  }

  @Test
  void rolesMayBeNestedOrHaveAUrlAsName() throws Exception {
    JWTClaimsSet claims =
        claims()
            .claim("realm_access", Map.of("roles", List.of("admin")))
            .claim("https://example.com/roles", List.of("editor"))
            .claim("groups", "a b")
            .claim("scp", List.of("read"))
            .build();
    String token = signed(ec, claims);
    assertEquals(Set.of("admin"), user(verifier.roles("realm_access.roles"), token).roles());
    assertEquals(
        Set.of("editor"), user(verifier.roles("https://example.com/roles"), token).roles());
    assertEquals(Set.of("a", "b"), user(verifier.roles("groups"), token).roles());
    assertEquals(Set.of(), user(verifier.roles("sub.x"), token).roles());
    assertEquals(Set.of("read"), user(verifier, token).scopes());
  }

  @Test
  void algorithmsCanBeRestricted() throws Exception {
    TokenVerifier onlyEc = verifier.algorithms("ES256");
    assertEquals("ann", user(onlyEc, signed(ec, claims().build())).name());
    assertEquals(InvalidTokenException.INVALID, failure(onlyEc, signed(rsa, claims().build())));
  }

  @Test
  void invalidOptionsAreRejectedByName() {
    assertRejected("issuer", () -> TokenVerifier.of("http://id.example.com", "books"));
    assertRejected("issuer", () -> TokenVerifier.of("id.example.com", "books"));
    assertRejected("issuer", () -> TokenVerifier.of("not a url", "books"));
    assertRejected("audience", () -> TokenVerifier.of(ISSUER, ""));
    assertRejected("jwks", () -> verifier.jwks("ftp://id.example.com/keys"));
    assertRejected("algorithms", () -> verifier.algorithms("HS256"));
    assertRejected("algorithms", () -> verifier.algorithms("none"));
    assertRejected("algorithms", () -> verifier.algorithms());
    assertRejected("clockSkew", () -> verifier.clockSkew(Duration.ofSeconds(-1)));
    assertRejected("clockSkew", () -> verifier.clockSkew(Duration.ofHours(1)));
    assertRejected("secret", () -> TokenVerifier.secret("short"));
    assertRejected("secret", () -> TokenVerifier.secret(SECRET, "short"));
    assertThrows(
        IllegalStateException.class, () -> TokenVerifier.secret(SECRET).jwks(ISSUER + "/keys"));
  }

  private static void assertRejected(String option, Supplier<?> setUp) {
    String message = assertThrows(IllegalArgumentException.class, setUp::get).getMessage();
    assertTrue(message.startsWith(option), message);
  }

  private void assertInvalid(String token) {
    assertEquals(InvalidTokenException.INVALID, failure(verifier, token));
  }

  private static AuthUser user(TokenVerifier verifier, String token) {
    return verifier.verify(token).toCompletableFuture().join();
  }

  private static String failure(TokenVerifier verifier, String token) {
    CompletionException error =
        assertThrows(
            CompletionException.class, () -> verifier.verify(token).toCompletableFuture().join());
    return String.valueOf(
        assertInstanceOf(InvalidTokenException.class, AsyncHandler.unwrap(error)).type());
  }

  private static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience("books")
        .subject("ann")
        .issueTime(at(Duration.ofMinutes(-1)))
        .expirationTime(at(Duration.ofMinutes(5)));
  }

  private static Date at(Duration fromNow) {
    return Date.from(NOW.plus(fromNow));
  }

  private static String signed(JWK key, JWTClaimsSet claims) {
    return TokenIssuer.sign(
        key, key instanceof RSAKey ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256, claims);
  }

  private static String typed(String type) throws Exception {
    JWSHeader header =
        new JWSHeader.Builder(JWSAlgorithm.ES256)
            .keyID("ec")
            .type(new JOSEObjectType(type))
            .build();
    SignedJWT token = new SignedJWT(header, claims().build());
    token.sign(new ECDSASigner(ec));
    return token.serialize();
  }

  private static String encoded(String json) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }
}
