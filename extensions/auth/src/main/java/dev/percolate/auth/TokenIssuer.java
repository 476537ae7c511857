package dev.percolate.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.factories.DefaultJWSSignerFactory;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.Quantity;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Issues tokens of this application: JWTs signed with a secret (HS256).
 *
 * <pre>{@code
 * TokenIssuer tokens = TokenIssuer.secret(System.getenv("TOKEN_SECRET")).audience("books");
 * app.use(BearerAuth.of(tokens.verifier()));
 * app.post("/login", (req, res) -> {
 *   Account account = accounts.verify(req.body(Login.class)); // see Passwords
 *   res.json(Map.of("token", tokens.issue(account.name(), "reader")));
 * });
 * }</pre>
 *
 * <p>A token cannot be revoked, so let it expire soon. Each program that verifies tokens needs the
 * secret, and can issue tokens with it. If other programs must not, use an OpenID Connect provider.
 *
 * <p>Options; each returns a changed copy:
 *
 * <pre>
 *   issuer    none    the claim iss
 *   audience  none    the claim aud
 *   lifetime  1 hour  the time until a token expires
 * </pre>
 */
@CheckReturnValue
public final class TokenIssuer extends Copyable<TokenIssuer> {

  private final JWK key;
  private final TokenVerifier verifier;
  private @Nullable String issuer;
  private @Nullable String audience;
  private Duration lifetime = Duration.ofHours(1);
  private Clock clock = Clock.systemUTC();

  private TokenIssuer(JWK key, TokenVerifier verifier) {
    this.key = key;
    this.verifier = verifier;
  }

  /**
   * Creates an issuer.
   *
   * @param secret the secret, at least 32 bytes
   * @param previous earlier secrets, whose tokens {@link #verifier} still accepts
   * @throws IllegalArgumentException if a secret is too short
   */
  public static TokenIssuer secret(String secret, String... previous) {
    return new TokenIssuer(TokenVerifier.key(secret), TokenVerifier.secret(secret, previous));
  }

  /**
   * Sets the name of this issuer.
   *
   * @throws IllegalArgumentException if it is empty
   */
  public TokenIssuer issuer(String issuer) {
    return with(copy -> copy.issuer = TokenVerifier.notEmpty("issuer", issuer));
  }

  /**
   * Sets the name of the application that accepts the tokens.
   *
   * @throws IllegalArgumentException if it is empty
   */
  public TokenIssuer audience(String audience) {
    return with(copy -> copy.audience = TokenVerifier.notEmpty("audience", audience));
  }

  /**
   * Sets the time until a token expires. Default: 1 hour.
   *
   * @throws IllegalArgumentException if the time is shorter than a second
   */
  public TokenIssuer lifetime(Duration lifetime) {
    Duration least = Duration.ofSeconds(1);
    return with(copy -> copy.lifetime = Quantity.atLeast("lifetime", least, lifetime));
  }

  /** Sets the clock, for tests. */
  TokenIssuer clock(Clock clock) {
    return with(copy -> copy.clock = clock);
  }

  /**
   * Issues a token.
   *
   * @param name the name or id of the user
   * @param roles the roles of the user
   * @return the token, to be sent as {@code Authorization: Bearer TOKEN}
   */
  public String issue(String name, String... roles) {
    return issue(AuthUser.of(name, roles));
  }

  /**
   * Issues a token with the roles, scopes and claims of a user. The claims of this issuer replace
   * claims of the user with the same name. Tokens are signed, not encrypted: clients can read them.
   *
   * @param user the user
   * @return the token
   */
  public String issue(AuthUser user) {
    return sign(key, JWSAlgorithm.HS256, claims(user).build());
  }

  /** Returns the claims of a user. */
  JWTClaimsSet.Builder claims(AuthUser user) {
    Instant now = clock.instant();
    JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder();
    user.claims().forEach(claims::claim);
    claims.subject(user.name()).jwtID(UUID.randomUUID().toString());
    claims.issueTime(Date.from(now)).expirationTime(Date.from(now.plus(lifetime)));
    claims.notBeforeTime(null).issuer(issuer).audience(audience);
    claims.claim("roles", user.roles().isEmpty() ? null : List.copyOf(user.roles()));
    claims.claim("scope", user.scopes().isEmpty() ? null : String.join(" ", user.scopes()));
    claims.claim("scp", null); // readers would add its scopes to those of the user
    return claims;
  }

  /** Returns a verifier that accepts the tokens of this issuer. */
  public TokenVerifier verifier() {
    TokenVerifier ours = verifier;
    ours = issuer == null ? ours : ours.issuer(issuer);
    return audience == null ? ours : ours.audience(audience);
  }

  /** Signs claims with a key. */
  static String sign(JWK key, JWSAlgorithm algorithm, JWTClaimsSet claims) {
    JWSHeader header =
        new JWSHeader.Builder(algorithm).type(JOSEObjectType.JWT).keyID(key.getKeyID()).build();
    SignedJWT token = new SignedJWT(header, claims);
    try {
      token.sign(new DefaultJWSSignerFactory().createJWSSigner(key, algorithm));
    } catch (JOSEException e) {
      throw new IllegalStateException("cannot sign a token with " + algorithm, e);
    }
    return token.serialize();
  }
}
