package dev.percolate.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.ExpiredJWTException;
import com.nimbusds.jwt.proc.JWTClaimsSetVerifier;
import dev.percolate.core.AsyncHandler;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Verifies tokens: signed JWTs (RFC 7519), such as access tokens of an OpenID Connect provider.
 *
 * <pre>{@code
 * TokenVerifier verifier = TokenVerifier.of("https://id.example.com", "books");
 * app.use(BearerAuth.of(verifier));
 * }</pre>
 *
 * <p>A token is valid if all of this is true:
 *
 * <pre>
 *   signature  by a key of the issuer, with an algorithm of this verifier; never none, and never a
 *              public key used as a secret
 *   iss, aud   the issuer and the audience of this verifier
 *   exp        present, and in the future
 *   nbf, iat   not in the future
 *   sub        present: the name of the user
 *   typ        absent, JWT, or at+jwt (RFC 9068)
 *   length     at most 16,384 characters
 * </pre>
 *
 * <p>The keys of an issuer are its JWK set, read by HTTP when they are first needed. They are read
 * again in the background after 5 minutes, and immediately if a token names an unknown key, at most
 * once in 5 seconds. While the issuer is unreachable, known keys are used for up to an hour;
 * without keys, {@link #verify} fails with a 503. A response of the issuer may have at most 256
 * KiB, and take at most 5 seconds.
 *
 * <p>Options; each returns a changed copy:
 *
 * <pre>
 *   jwks        from the metadata    the URL of the JWK set
 *   algorithms  RS, PS and ES with   the signature algorithms
 *               256, 384 and 512
 *   roles       roles                the claim with the roles of the user
 *   clockSkew   60 s                 the tolerated difference of clocks
 * </pre>
 */
@CheckReturnValue
public final class TokenVerifier extends Copyable<TokenVerifier> {

  private static final int MOST_CHARACTERS = 16_384;
  private static final Duration MOST_SKEW = Duration.ofMinutes(10);

  /** Later dates have more milliseconds than a long can hold. */
  private static final double LATEST_SECONDS = 9e15;

  /** The length of the hash, and so the minimum length of the secret (RFC 7518 section 3.2). */
  private static final int FEWEST_BYTES = 32;

  /** The algorithms of public keys. Those of secrets are missing: a key is never a secret. */
  private static final Set<JWSAlgorithm> ALGORITHMS =
      parsed("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

  private static final Set<JWSAlgorithm> HMAC = Set.of(JWSAlgorithm.HS256);

  private static final DefaultJOSEObjectTypeVerifier<SecurityContext> TYPES =
      new DefaultJOSEObjectTypeVerifier<>(
          JOSEObjectType.JWT,
          new JOSEObjectType("at+jwt"),
          new JOSEObjectType("application/at+jwt"),
          null);

  private Function<JWSHeader, CompletionStage<JWKSet>> keys;
  private Set<JWSAlgorithm> algorithms;
  private JWTClaimsSet exact = new JWTClaimsSet.Builder().build();
  private @Nullable String audience;
  private String roles = "roles";
  private Duration clockSkew = Duration.ofSeconds(60);
  private Clock clock = Clock.systemUTC();

  private TokenVerifier(
      Function<JWSHeader, CompletionStage<JWKSet>> keys, Set<JWSAlgorithm> algorithms) {
    this.keys = keys;
    this.algorithms = algorithms;
  }

  /**
   * Creates a verifier of tokens of an issuer. The metadata of the issuer, at {@code
   * /.well-known/openid-configuration}, names the URL of its JWK set.
   *
   * @param issuer the issuer, exactly as in the claim {@code iss}: an HTTPS URL, or an HTTP URL of
   *     localhost
   * @param audience the name of this application in the claim {@code aud}
   * @throws IllegalArgumentException if the issuer is not such a URL, or the audience is empty
   */
  public static TokenVerifier of(String issuer, String audience) {
    String checked = IssuerClient.uri("issuer", issuer).toString();
    return new TokenVerifier(RemoteKeys.of(checked)::find, ALGORITHMS)
        .issuer(issuer)
        .audience(audience);
  }

  /**
   * Creates a verifier of tokens that are signed with a shared secret (HS256), such as those of
   * {@link TokenIssuer}. If other applications have the same secret, set {@link #audience}.
   *
   * @param secret the secret, at least 32 bytes
   * @param previous earlier secrets, whose tokens are still valid
   * @throws IllegalArgumentException if a secret is too short
   */
  public static TokenVerifier secret(String secret, String... previous) {
    List<String> all = Stream.concat(Stream.of(secret), Stream.of(previous)).toList();
    JWKSet ignored = keys(all, null); // checks their lengths
    return new TokenVerifier(
        header -> CompletableFuture.completedStage(keys(all, header.getKeyID())), HMAC);
  }

  /** Returns the keys of secrets with an id, which is only a hint (RFC 7515 section 4.1.4). */
  private static JWKSet keys(List<String> secrets, @Nullable String id) {
    return new JWKSet(secrets.stream().map(secret -> key(secret, id)).toList());
  }

  /** Returns the key of a secret. */
  static JWK key(String secret) {
    return key(secret, null);
  }

  private static JWK key(String secret, @Nullable String id) {
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    if (bytes.length < FEWEST_BYTES) {
      String cure = ". Create one: openssl rand -base64 32";
      throw new IllegalArgumentException(
          "secret must have at least " + FEWEST_BYTES + " bytes, had " + bytes.length + cure);
    }
    return new OctetSequenceKey.Builder(bytes).algorithm(JWSAlgorithm.HS256).keyID(id).build();
  }

  /**
   * Sets the issuer that tokens must name in the claim {@code iss}. Default: that of {@link #of};
   * with a secret, any.
   */
  public TokenVerifier issuer(String issuer) {
    String checked = notEmpty("issuer", issuer);
    return with(copy -> copy.exact = new JWTClaimsSet.Builder().issuer(checked).build());
  }

  /**
   * Sets the audience that tokens must name in the claim {@code aud}. Default: that of {@link #of};
   * with a secret, any.
   */
  public TokenVerifier audience(String audience) {
    return with(copy -> copy.audience = notEmpty("audience", audience));
  }

  /**
   * Sets the URL of the JWK set, for issuers without metadata. Default: as in the metadata.
   *
   * @throws IllegalArgumentException if it is not an HTTPS URL, or an HTTP URL of localhost
   * @throws IllegalStateException if this verifier uses a secret
   */
  public TokenVerifier jwks(String url) {
    URI checked = IssuerClient.uri("jwks", url);
    if (isSecret()) {
      throw new IllegalStateException(
          "jwks(…): this verifier uses a secret. Use TokenVerifier.of(issuer, audience)");
    }
    return with(copy -> copy.keys = RemoteKeys.at(checked)::find);
  }

  /**
   * Sets the accepted signature algorithms. Default: RS256, RS384, RS512, PS256, PS384, PS512,
   * ES256, ES384 and ES512; with a secret, HS256.
   *
   * @param names some of the default algorithms
   * @throws IllegalArgumentException for other algorithms, or without names
   */
  public TokenVerifier algorithms(String... names) {
    Set<JWSAlgorithm> possible = isSecret() ? HMAC : ALGORITHMS;
    Set<JWSAlgorithm> all = parsed(names);
    if (all.isEmpty() || !possible.containsAll(all)) {
      throw new IllegalArgumentException("algorithms must be some of " + possible + ", was " + all);
    }
    return with(copy -> copy.algorithms = all);
  }

  /**
   * Sets the claim with the roles: a list of strings, or a string with spaces between them. Dots
   * separate nested names, such as {@code realm_access.roles} of Keycloak. Default: {@code roles}.
   */
  public TokenVerifier roles(String claim) {
    return with(copy -> copy.roles = notEmpty("roles", claim));
  }

  /**
   * Sets the tolerated difference between the clocks of the issuer and this machine. Default: 60
   * seconds.
   *
   * @param skew zero to 10 minutes
   * @throws IllegalArgumentException if the time is negative or longer
   */
  public TokenVerifier clockSkew(Duration skew) {
    if (skew.isNegative() || skew.compareTo(MOST_SKEW) > 0) {
      throw new IllegalArgumentException(
          "clockSkew must be at least 0 and at most " + MOST_SKEW + ", was " + skew);
    }
    return with(copy -> copy.clockSkew = skew);
  }

  /** Sets the clock, for tests. */
  TokenVerifier clock(Clock clock) {
    return with(copy -> copy.clock = clock);
  }

  /** Sets the source of keys, for tests. */
  TokenVerifier keys(Function<JWSHeader, CompletionStage<JWKSet>> keys) {
    return with(copy -> copy.keys = keys);
  }

  /**
   * Verifies a token. Does not block: if keys have to be read, the stage completes later.
   *
   * @param token the token, as in the header {@code Authorization} after {@code Bearer}
   * @return the user of the token. The stage fails with an {@link InvalidTokenException}, or with
   *     an {@link HttpError} with the status 503 if the keys of the issuer are not available
   */
  public CompletionStage<AuthUser> verify(String token) {
    SignedJWT parsed;
    try {
      parsed = parse(token);
    } catch (ParseException | RuntimeException e) { // such as a null pointer for the header null
      return CompletableFuture.failedStage(InvalidTokenException.invalid(e));
    }
    return verify(parsed, claimCheck());
  }

  /** Verifies a token, with another check of the claims. */
  CompletionStage<AuthUser> verify(SignedJWT token, JWTClaimsSetVerifier<SecurityContext> check) {
    return keys.apply(token.getHeader())
        .handle(
            (set, error) -> {
              if (error != null) {
                String message = "The keys of the issuer are not available";
                throw new HttpError(503, message, "keys.unavailable", AsyncHandler.unwrap(error));
              }
              return user(token, set, check);
            });
  }

  private SignedJWT parse(String token) throws ParseException {
    if (token.length() > MOST_CHARACTERS) {
      throw new ParseException("token has " + token.length() + " characters", 0);
    }
    SignedJWT parsed = SignedJWT.parse(token);
    JWSAlgorithm algorithm = parsed.getHeader().getAlgorithm();
    if (!algorithms.contains(algorithm)) {
      throw new ParseException("algorithm " + algorithm + " is not accepted", 0);
    }
    return parsed;
  }

  private DefaultJWTClaimsVerifier<SecurityContext> claimCheck() {
    DefaultJWTClaimsVerifier<SecurityContext> check =
        new DefaultJWTClaimsVerifier<>(audience, exact, Set.of("exp")) {
          @Override
          protected Date currentTime() {
            return Date.from(clock.instant());
          }
        };
    check.setMaxClockSkew((int) clockSkew.toSeconds());
    return check;
  }

  private AuthUser user(SignedJWT token, JWKSet set, JWTClaimsSetVerifier<SecurityContext> check) {
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSTypeVerifier(TYPES);
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(algorithms, new ImmutableJWKSet<>(set)));
    processor.setJWTClaimsSetVerifier(check);
    try {
      JWTClaimsSet claims = processor.process(token, null);
      checkDates(token.getPayload().toJSONObject());
      Date issued = claims.getIssueTime();
      if (issued != null && issued.toInstant().isAfter(clock.instant().plus(clockSkew))) {
        throw new BadJWTException("JWT issued in the future");
      }
      if (claims.getSubject() == null || claims.getSubject().isEmpty()) {
        throw new BadJWTException("JWT without a subject");
      }
      return AuthUser.ofToken(claims, roles);
    } catch (ExpiredJWTException e) {
      throw InvalidTokenException.expired(e);
    } catch (BadJOSEException | JOSEException e) {
      throw InvalidTokenException.invalid(e);
    }
  }

  /** Rejects dates that a {@link Date} cannot represent. They would overflow. */
  private static void checkDates(Map<String, Object> claims) throws BadJWTException {
    for (String name : List.of("exp", "nbf", "iat")) {
      if (claims.get(name) instanceof Number number
          && Math.abs(number.doubleValue()) > LATEST_SECONDS) {
        throw new BadJWTException("JWT with " + name + " out of range");
      }
    }
  }

  private boolean isSecret() {
    return algorithms.contains(JWSAlgorithm.HS256);
  }

  private static Set<JWSAlgorithm> parsed(String... names) {
    return Stream.of(names).map(JWSAlgorithm::parse).collect(Collectors.toUnmodifiableSet());
  }

  static String notEmpty(String option, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(option + " must not be empty");
    }
    return value;
  }
}
