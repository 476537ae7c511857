package dev.percolate.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.nimbusds.jose.jwk.JWKSet;
import dev.percolate.core.Middleware;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Challenges are those of RFC 6750 section 3. */
final class BearerAuthTest {

  private static final TokenIssuer TOKENS =
      TokenIssuer.secret("a secret of more than thirty-two bytes").audience("books");
  private static final BearerAuth BEARER = BearerAuth.of(TOKENS.verifier());

  @Test
  void aValidTokenIsTheUser() {
    String token = TOKENS.issue("ann");
    assertEquals("200 ann", outcome("Bearer " + token));
    assertEquals("200 ann", outcome("bearer " + token));
    assertEquals("200 ann", outcome("BEARER  " + token + " "));
  }

  @Test
  void requestsWithoutATokenHaveNoUser() {
    assertEquals("200 nobody", Members.outcome(Call.get("/"), BEARER, Members.SHOW));
    assertEquals("200 nobody", outcome("Basic YW5uOnM6ZQ=="));
    assertEquals("200 nobody", outcome("Bearers x"));
    assertEquals("200 nobody", outcome(""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer",
        "Bearer ",
        "Bearer a b",
        "Bearer x",
        "Bearer \u00e4",
        "Bearer =",
        "Bearer\tx",
        "Bearer a\u0085b",
        "Bearer bnVsbA.e30.c2ln" // the header null
      })
  void anInvalidTokenIsA401(String header) {
    Reply reply = reply(header);
    assertEquals("401 The token is invalid (token.invalid)", reply.status() + " " + reply.text());
    assertEquals(
        "Bearer realm=\"api\", error=\"invalid_token\", error_description=\"The token is invalid\"",
        reply.header("WWW-Authenticate"));
  }

  @Test
  void anExpiredTokenSaysSo() {
    Clock past = Clock.fixed(Instant.now().minus(Duration.ofDays(1)), ZoneOffset.UTC);
    Reply reply = reply("Bearer " + TOKENS.clock(past).issue("ann"));
    assertEquals("401 The token has expired (token.expired)", reply.status() + " " + reply.text());
    assertEquals(
        "Bearer realm=\"api\", error=\"invalid_token\", error_description=\"The token has"
            + " expired\"",
        reply.header("WWW-Authenticate"));
  }

  @Test
  void severalTokensAreInvalid() {
    String token = "Bearer " + TOKENS.issue("ann");
    Call call = Call.get("/").header("Authorization", token).header("Authorization", token);
    assertEquals(401, Members.reply(call, BEARER, Members.SHOW).status());
  }

  @Test
  void aTokenOfAMegabyteIsInvalid() {
    assertEquals(401, reply("Bearer " + "a".repeat(1 << 20)).status());
  }

  @Test
  void aUserOfEarlierMiddlewareStays() {
    Middleware login =
        (req, res, next) -> {
          req.attr(Auth.USER, AuthUser.of("bob"));
          next.run();
        };
    Call call = Call.get("/").header("Authorization", "Bearer x");
    assertEquals("200 bob", Members.outcome(call, login, BEARER, Members.SHOW));
  }

  @Test
  void keysThatArriveLaterDelayTheResponse() {
    TokenVerifier slow =
        TOKENS
            .verifier()
            .keys(
                header ->
                    CompletableFuture.supplyAsync(
                        () ->
                            new JWKSet(TokenVerifier.key("a secret of more than thirty-two bytes")),
                        CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS)));
    Call call = Call.get("/").header("Authorization", "Bearer " + TOKENS.issue("ann"));
    assertEquals("200 ann", Members.outcome(call, BearerAuth.of(slow), Members.SHOW));
  }

  @Test
  void unavailableKeysAreA503WithoutAChallenge() {
    TokenVerifier down =
        TOKENS.verifier().keys(header -> CompletableFuture.failedFuture(new IOException("down")));
    Call call = Call.get("/").header("Authorization", "Bearer " + TOKENS.issue("ann"));
    Reply reply = Members.reply(call, BearerAuth.of(down), Members.SHOW);
    assertEquals(503, reply.status());
    assertNull(reply.header("WWW-Authenticate"));
  }

  @Test
  void theRealmIsThatOfTheChallenge() {
    Call call = Call.get("/").header("Authorization", "Bearer x");
    Reply reply = Members.reply(call, BEARER.realm("B\u00fcro"), Members.SHOW);
    assertEquals(
        "Bearer realm=\"B%C3%BCro\", error=\"invalid_token\","
            + " error_description=\"The token is invalid\"",
        reply.header("WWW-Authenticate"));
    assertThrows(IllegalArgumentException.class, () -> BEARER.realm("a\"b"));
    assertThrows(IllegalArgumentException.class, () -> BEARER.realm("a\r\nb"));
  }

  @Test
  void anotherSchemeIsAnOption() {
    BearerAuth token = BEARER.scheme("Token").realm("books");
    Call call = Call.get("/");
    Call own = call.header("Authorization", "Token " + TOKENS.issue("ann"));
    assertEquals("200 ann", Members.outcome(own, token, Members.SHOW));
    Call other = call.header("Authorization", "Bearer " + TOKENS.issue("ann"));
    assertEquals("200 nobody", Members.outcome(other, token, Members.SHOW));
    Reply reply = Members.reply(call.header("Authorization", "Token x y"), token, Members.SHOW);
    assertEquals(
        "Token realm=\"books\", error=\"invalid_token\","
            + " error_description=\"The token is invalid\"",
        reply.header("WWW-Authenticate"));
    assertEquals(
        "{type=apiKey, in=header, name=Authorization}",
        String.valueOf(Objects.requireNonNull(token.traits().securityScheme()).definition()));
    assertThrows(IllegalArgumentException.class, () -> BEARER.scheme("a b"));
  }

  private static Reply reply(String header) {
    Call call = Call.get("/").header("Authorization", header);
    return Members.reply(call, BEARER, Members.SHOW);
  }

  private static String outcome(String header) {
    Reply reply = reply(header);
    return reply.status() + " " + reply.text();
  }
}
