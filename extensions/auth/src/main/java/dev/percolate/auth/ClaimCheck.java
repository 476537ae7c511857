package dev.percolate.auth;

import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import java.time.Clock;
import java.time.Duration;
import java.util.Date;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the claims of a token: the issuer, the audience, the subject and the times. */
final class ClaimCheck extends DefaultJWTClaimsVerifier<SecurityContext> {

  private static final Set<String> REQUIRED = Set.of("exp", "sub");

  private final Duration skew;
  private final Clock clock;

  /**
   * Creates a check.
   *
   * @param issuer the issuer; null for any
   * @param audience the audience; null for any
   * @param skew the tolerated difference of clocks
   * @param clock the clock of this machine
   */
  ClaimCheck(@Nullable String issuer, @Nullable String audience, Duration skew, Clock clock) {
    super(audience == null ? null : Set.of(audience), exactly(issuer), REQUIRED, null);
    setMaxClockSkew((int) skew.toSeconds());
    this.skew = skew;
    this.clock = clock;
  }

  private static JWTClaimsSet exactly(@Nullable String issuer) {
    JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder();
    return issuer == null ? claims.build() : claims.issuer(issuer).build();
  }

  @Override
  public void verify(JWTClaimsSet claims, @Nullable SecurityContext context)
      throws BadJWTException {
    super.verify(claims, context);
    Date issued = claims.getIssueTime();
    if (issued != null && issued.toInstant().isAfter(clock.instant().plus(skew))) {
      throw new BadJWTException("JWT issued in the future");
    }
    String subject = claims.getSubject();
    if (subject == null || subject.isEmpty()) {
      throw new BadJWTException("JWT without a subject");
    }
  }

  @Override
  protected Date currentTime() {
    return Date.from(clock.instant());
  }
}
