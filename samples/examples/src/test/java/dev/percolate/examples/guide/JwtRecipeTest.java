package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.source.ImmutableSecret;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Code of the JWT recipe. */
final class JwtRecipeTest {

  private static final byte[] SECRET =
      "a secret of thirty-two bytes or more".getBytes(StandardCharsets.UTF_8);

  // #region jwt
  private static final Key<JWTClaimsSet> CLAIMS = Key.of("claims", JWTClaimsSet.class);

  static Middleware jwt(byte[] secret) {
    var processor = new DefaultJWTProcessor<SecurityContext>();
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(JWSAlgorithm.HS256, new ImmutableSecret<>(secret)));
    processor.setJWTClaimsSetVerifier(
        new DefaultJWTClaimsVerifier<>(null, Set.of("sub", "exp"))); // required claims
    return (req, res, next) -> {
      String given = req.get("Authorization");
      if (given == null || !given.regionMatches(true, 0, "Bearer ", 0, 7)) { // in any letter case
        res.set("WWW-Authenticate", "Bearer");
        throw new HttpError(401, "Missing token.");
      }
      try {
        req.attr(CLAIMS, processor.process(given.substring("Bearer ".length()), null));
      } catch (Exception e) {
        res.set("WWW-Authenticate", "Bearer");
        throw new HttpError(401, "Invalid token.");
      }
      next.run();
    };
  }

  static App app(byte[] secret) {
    App app = new App();
    app.use("/api", jwt(secret));
    app.get("/api/me", (req, res) -> res.send(req.attr(CLAIMS).getSubject()));
    return app;
  }

  // #endregion jwt

  private static String token(byte[] secret, Duration life) throws Exception {
    Date end = Date.from(Instant.now().plus(life));
    var claims = new JWTClaimsSet.Builder().subject("ann").expirationTime(end).build();
    SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims);
    token.sign(new MACSigner(secret));
    return token.serialize();
  }

  private static Call me(String token) {
    return Call.get("/api/me").header("Authorization", "Bearer " + token);
  }

  @Test
  void tokensNeedAValidSignatureAndExpiry() throws Exception {
    App app = app(SECRET);
    assertEquals("ann", me(token(SECRET, Duration.ofMinutes(5))).to(app).text());
    assertEquals(401, me(token(SECRET, Duration.ofMinutes(-5))).to(app).status());
    byte[] another = "another secret of thirty-two bytes!!".getBytes(StandardCharsets.UTF_8);
    assertEquals(401, me(token(another, Duration.ofMinutes(5))).to(app).status());
    assertEquals(401, me("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.").to(app).status());
    assertEquals(401, Call.get("/api/me").to(app).status());
    assertEquals("Bearer", Call.get("/api/me").to(app).header("WWW-Authenticate"));
    assertEquals("Bearer", me("x.y.z").to(app).header("WWW-Authenticate"));
    String lower = "bearer " + token(SECRET, Duration.ofMinutes(5));
    assertEquals("ann", Call.get("/api/me").header("Authorization", lower).to(app).text());
  }
}
