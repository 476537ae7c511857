package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Unusable credentials get a challenge, and are not bad requests: a server without valid
 * credentials responds with 401 and {@code WWW-Authenticate} (RFC 9110 sections 11.6.1 and 15.5.2).
 * Otherwise a browser that has stored credentials of another scheme never asks again.
 */
final class ChallengeTest {

  private static final BasicAuth ANN = BasicAuth.of("ann", "s:e").realm("shop");
  private static final Handler USER = (req, res) -> res.send("" + req.attr(BasicAuth.USER));

  @Test
  void absentCredentialsAreChallenged() {
    assertChallenged(Played.reply(Call.get("/"), ANN, USER));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer YW5uOnM6ZQ==",
        "Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln",
        "Digest username=\"ann\", realm=\"shop\", nonce=\"1\", uri=\"/\", response=\"2\"",
        "Negotiate YW5uOnM6ZQ==",
        "NTLM TlRMTVNTUAAB",
        "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=c",
        "Token ann",
        "YW5uOnM6ZQ=="
      })
  void credentialsOfAnotherSchemeAreChallenged(String header) {
    assertChallenged(reply(header));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Basic",
        "Basic ",
        "BasicYW5uOnM6ZQ==",
        "Basic !!!",
        "Basic YQ==",
        "Basic a b",
        "Basic YW5uOnM6ZQ== x",
        "Basic ====",
        "Basic ann:s:e",
        "Basic \u00e4"
      })
  void malformedCredentialsAreChallenged(String header) {
    assertChallenged(reply(header));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Basic YW5uOnM6ZQ==",
        "Basic   YW5uOnM6ZQ==",
        "basic YW5uOnM6ZQ==",
        "BASIC  YW5uOnM6ZQ",
        "Basic YW5uOnM6ZQ== "
      })
  void theSchemeIsCaseInsensitiveAndMayHaveSeveralSpacesAfterIt(String header) {
    assertEquals("ann", reply(header).text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Bearer am9lOnB3", "basic YW5uOnM6ZQ==", "Basic", "Basic YQ==", "Basic  YTpi"})
  void withTheExpressSettingTheyAreBadRequests(String header) {
    Settings settings = new Settings().set(BasicAuth.EXACT_SCHEME, true);
    Call call = Call.get("/").header("Authorization", header);
    assertEquals(400, Played.reply(settings, call, ANN, USER).status());
  }

  private static Reply reply(String header) {
    return Played.reply(Call.get("/").header("Authorization", header), ANN, USER);
  }

  private static void assertChallenged(Reply reply) {
    assertEquals("401 Unauthorized", reply.status() + " " + reply.text());
    assertEquals("Basic realm=\"shop\"", reply.header("WWW-Authenticate"));
    assertNull(reply.header("Content-Type"));
  }
}
