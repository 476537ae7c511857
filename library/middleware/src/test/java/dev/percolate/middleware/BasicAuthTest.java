package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.SecurityScheme;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BasicAuthTest {

  private static final Handler USER =
      (req, res) -> res.send(req.attr(BasicAuth.USER) + "/" + req.attr(BasicAuth.REMOTE_USER));
  private static final BasicAuth ANN = BasicAuth.of("ann", "s:e");

  @Test
  void onlyTheRightNameAndPasswordPass() {
    assertEquals("200 ann/ann", Played.outcome(call("ann:s:e"), ANN, USER));
    for (String wrong : new String[] {"ann:s", "ann:s:e:", "Ann:s:e", ":s:e", "ann:", "x:y"}) {
      assertEquals("401 Unauthorized", Played.outcome(call(wrong), ANN, USER), wrong);
    }
  }

  @Test
  void theChallengeNamesTheRealmAndHasNoType() {
    Reply reply = Played.reply(Call.get("/"), ANN.realm("B\u00fcro"), USER);
    assertEquals("Basic realm=\"B%C3%BCro\"", reply.header("WWW-Authenticate"));
    assertNull(reply.header("Content-Type"));
    assertEquals("Unauthorized", reply.text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"basic", "BASIC", "bAsIC"})
  void theSchemeIsCaseInsensitiveUnlessTheSettingRequiresTheExactCase(String scheme) {
    Call call = Call.get("/").header("Authorization", scheme + " YW5uOnM6ZQ==");
    assertEquals("200 ann/ann", Played.outcome(call, ANN, USER));
    Settings settings = new Settings().set(BasicAuth.EXACT_SCHEME, true);
    assertEquals(400, Played.reply(settings, call, ANN, USER).status());
    assertEquals("ann/ann", Played.reply(settings, call("ann:s:e"), ANN, USER).text());
  }

  @Test
  void base64IsDecodedLeniently() {
    BasicAuth any = BasicAuth.of((user, password) -> password.equals("b?\u00fc"));
    String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes("a:b?\u00fc"));
    Call call = Call.get("/").header("Authorization", "Basic !" + token);
    assertEquals("200 a/a", Played.outcome(call, any, USER));
  }

  @Test
  void anAsynchronousCheckReturnsTheUser() {
    BasicAuth auth =
        BasicAuth.async(
            (user, password) ->
                switch (user) {
                  case "found" -> CompletableFuture.supplyAsync(() -> 42);
                  case "none" -> CompletableFuture.completedFuture(null);
                  default -> CompletableFuture.failedFuture(new IllegalStateException("down"));
                });
    assertEquals("200 42/42", Played.outcome(call("found:x"), auth, USER));
    assertEquals("401 Unauthorized", Played.outcome(call("none:x"), auth, USER));
    assertEquals("401 Unauthorized", Played.outcome(call("other:x"), auth, USER));
  }

  @Test
  void aRealmThatBreaksTheHeaderIsRejected() {
    assertThrows(IllegalArgumentException.class, () -> ANN.realm("a\"b"));
    assertThrows(IllegalArgumentException.class, () -> ANN.realm("a\r\nb"));
    assertThrows(IllegalArgumentException.class, () -> ANN.realm("a\\"));
  }

  @Test
  void credentialsThatAreProbablyNotIntendedAreAWarning() {
    assertNull(ANN.traits().warning());
    assertWarning("accepts an empty password", "admin", "");
    assertWarning("accepts an empty password", "admin", " ");
    assertWarning("accepts the user name as password", "admin", "admin");
    assertWarning("accepts an empty user name", "", "secret");
    assertWarning("rejects all clients", "a:b", "secret");
    assertThrows(IllegalArgumentException.class, () -> BasicAuth.of("admin", null));
  }

  private static void assertWarning(String begin, String user, String password) {
    String warning = String.valueOf(BasicAuth.of(user, password).traits().warning());
    assertTrue(warning.startsWith(begin), warning);
  }

  @Test
  void describedRoutesShowTheScheme() {
    assertEquals(SecurityScheme.basic("basic"), ANN.traits().securityScheme());
    assertEquals(List.of(), ANN.traits().access());
  }

  private static Call call(String pair) {
    return Call.get("/")
        .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes(pair)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
