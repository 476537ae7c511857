package dev.percolate.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.percolate.core.AsyncHandler;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The keys of an issuer over HTTP: found, rotated, unreachable, slow and huge. */
@Timeout(60)
final class RemoteKeysTest {

  private FakeIssuer issuer;

  @BeforeEach
  void begin() throws IOException {
    issuer = FakeIssuer.start();
  }

  @AfterEach
  void end() {
    issuer.close();
  }

  @Test
  void theMetadataOfTheIssuerNamesItsKeys() {
    TokenVerifier verifier = TokenVerifier.of(issuer.uri(), "books");
    String token = issuer.token("books", AuthUser.of("ann", "admin"));
    AuthUser user = verifier.verify(token).toCompletableFuture().join();
    assertEquals("ann [admin]", user.name() + " " + user.roles());
    assertEquals("invalid", failure(verifier, issuer.token("shop", AuthUser.of("ann"))));
  }

  @Test
  void keysThatCannotBeUsedAreSkipped() throws Exception {
    URI uri = URI.create("https://id.example/keys");
    String good = new ECKeyGenerator(Curve.P_256).keyID("good").generate().toPublicJWK().toString();
    for (String other :
        List.of(
            "{\"kty\":\"EC\",\"crv\":\"BP-256\",\"x\":\"AA\",\"y\":\"AA\"}",
            "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\",\"y\":\"AA\"}",
            "{\"kty\":\"RSA\",\"e\":\"AQAB\"}",
            "{\"kty\":\"XYZ\"}",
            "{}",
            "1",
            "null")) {
      JWKSet set = RemoteKeys.parse("{\"keys\":[" + other + "," + good + "]}", uri);
      assertEquals(1, set.size(), other);
    }
    for (String wrong : List.of("null", "{}", "{\"keys\":{}}", "[]", "")) {
      assertThrows(CompletionException.class, () -> RemoteKeys.parse(wrong, uri), wrong);
    }
  }

  @Test
  void theUrlOfTheKeysCanBeGiven() {
    TokenVerifier verifier =
        TokenVerifier.of("https://id.example.com", "books").jwks(issuer.uri() + "/keys");
    assertEquals("invalid", failure(verifier, issuer.token("books", AuthUser.of("ann"))));
    assertEquals(
        "ann",
        verifier
            .issuer(issuer.uri())
            .verify(issuer.token("books", AuthUser.of("ann")))
            .toCompletableFuture()
            .join()
            .name());
  }

  @Test
  void anUnknownKeyIsLookedForOnceInAPause() {
    AtomicLong now = new AtomicLong();
    AtomicInteger loads = new AtomicInteger();
    URI keys = URI.create(issuer.uri() + "/keys");
    RemoteKeys remote =
        new RemoteKeys(
            new CachedValue<>(
                () -> {
                  loads.incrementAndGet();
                  return IssuerClient.get(keys).thenApply(text -> RemoteKeys.parse(text, keys));
                },
                now::get));
    TokenVerifier verifier = TokenVerifier.of(issuer.uri(), "books").keys(remote::find);
    String before = issuer.token("books", AuthUser.of("ann"));
    assertEquals("ann", verifier.verify(before).toCompletableFuture().join().name());
    issuer.rotateKey();
    String after = issuer.token("books", AuthUser.of("ann"));
    assertEquals("invalid", failure(verifier, after)); // too soon
    assertEquals(1, loads.get());
    now.addAndGet(CachedValue.PAUSE.toNanos());
    assertEquals("ann", verifier.verify(after).toCompletableFuture().join().name());
    assertEquals(2, loads.get());
    assertEquals("invalid", failure(verifier, before));
    assertEquals(2, loads.get());
  }

  @Test
  void anIssuerThatIsDownIsA503() {
    issuer.available(false);
    TokenVerifier verifier = TokenVerifier.of(issuer.uri(), "books");
    assertEquals(
        issuer.uri() + "/.well-known/openid-configuration responded with 503",
        failure(verifier, issuer.token("books", AuthUser.of("ann"))));
  }

  @Test
  void anIssuerThatIsNotThereIsA503() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    TokenVerifier verifier = TokenVerifier.of("http://localhost:" + port, "books");
    String message = failure(verifier, issuer.token("books", AuthUser.of("ann")));
    assertTrue(message.startsWith("cannot read http://localhost:" + port), message);
  }

  @Test
  void anIssuerThatIsSilentIsA503AfterTheTimeout() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      TokenVerifier verifier =
          TokenVerifier.of("http://localhost:" + socket.getLocalPort(), "books");
      Instant begun = Instant.now();
      Throwable error = error(verifier, issuer.token("books", AuthUser.of("ann")));
      assertEquals(503, assertInstanceOf(HttpError.class, error).status());
      assertTrue(Duration.between(begun, Instant.now()).toSeconds() < 30);
    }
  }

  @Test
  void aHugeResponseIsA503() throws IOException {
    App app = new App();
    app.get("/keys", (req, res) -> res.type("json").send(" ".repeat(IssuerClient.MOST_BYTES + 1)));
    try (Server server = app.listen(0)) {
      assertTrue(failureAt(server).startsWith("cannot read " + server.uri() + "/keys"));
    }
  }

  @Test
  void anEndlessResponseIsA503() throws IOException {
    App app = new App();
    app.get(
        "/keys",
        (req, res) -> {
          while (!res.finished()) {
            res.write(" ".repeat(10_000));
          }
        });
    try (Server server = app.listen(0)) {
      assertTrue(failureAt(server).startsWith("cannot read " + server.uri() + "/keys"));
    }
  }

  @Test
  void tooManyKeysAreA503() throws Exception {
    List<JWK> many = new ArrayList<>();
    for (int i = 0; i <= 100; i++) {
      many.add(new ECKeyGenerator(Curve.P_256).keyID("" + i).generate());
    }
    String json = new JWKSet(many).toString();
    App app = new App();
    app.get("/keys", (req, res) -> res.type("json").send(json));
    try (Server server = app.listen(0)) {
      assertEquals(server.uri() + "/keys has 101 keys; at most 100 are used", failureAt(server));
    }
  }

  @Test
  void redirectsAndOtherTextsAreA503() throws IOException {
    App app = new App();
    app.get("/keys", (req, res) -> res.redirect(issuer.uri() + "/keys"));
    app.get("/html/keys", (req, res) -> res.send("<p>Hello</p>"));
    try (Server server = app.listen(0)) {
      assertEquals(server.uri() + "/keys responded with 302", failureAt(server));
      TokenVerifier html =
          TokenVerifier.of(issuer.uri(), "books").jwks(server.uri() + "/html/keys");
      assertEquals(
          server.uri() + "/html/keys is not a JWK set",
          failure(html, issuer.token("books", AuthUser.of("ann"))));
    }
  }

  @Test
  void aDeeplyNestedSetIsRejected() {
    String nested = "{\"keys\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
    URI keys = URI.create("https://id.example/keys");
    assertThrows(CompletionException.class, () -> RemoteKeys.parse(nested, keys));
  }

  @Test
  void metadataMustBeThatOfTheIssuer() {
    String id = "https://id.example";
    String other = "{\"issuer\":\"https://evil.example\",\"jwks_uri\":\"https://id.example/keys\"}";
    assertThrows(CompletionException.class, () -> IssuerClient.metadata(other, id));
    String plain = "{\"issuer\":\"https://id.example\",\"jwks_uri\":\"http://id.example/keys\"}";
    Map<String, Object> unsafe = IssuerClient.metadata(plain, id);
    assertThrows(IllegalArgumentException.class, () -> RemoteKeys.uriIn(unsafe));
    Map<String, Object> without = IssuerClient.metadata("{\"issuer\":\"https://id.example\"}", id);
    assertThrows(IllegalArgumentException.class, () -> RemoteKeys.uriIn(without));
    assertThrows(CompletionException.class, () -> IssuerClient.metadata("<p>", id));
  }

  @Test
  void anApplicationOnASocketVerifiesTokensWithoutBlocking() throws IOException {
    App app = new App();
    app.use(BearerAuth.of(TokenVerifier.of(issuer.uri(), "books")));
    app.get("/", Auth.required(), Members.SHOW);
    try (Server server = app.listen(0)) {
      String token = issuer.token("books", AuthUser.of("ann"));
      Call call = Call.get("/").header("Authorization", "Bearer " + token);
      assertEquals("ann", call.to(server.uri()).text());
      assertEquals(401, Call.get("/").to(server.uri()).status());
    }
  }

  private String failureAt(Server server) {
    TokenVerifier verifier = TokenVerifier.of(issuer.uri(), "books").jwks(server.uri() + "/keys");
    return failure(verifier, issuer.token("books", AuthUser.of("ann")));
  }

  /** Returns "invalid", or the reason why the keys are not available. */
  private static String failure(TokenVerifier verifier, String token) {
    Throwable error = error(verifier, token);
    if (error instanceof InvalidTokenException) {
      return "invalid";
    }
    assertEquals(503, assertInstanceOf(HttpError.class, error).status());
    return String.valueOf(error.getCause().getMessage());
  }

  private static Throwable error(TokenVerifier verifier, String token) {
    return AsyncHandler.unwrap(
        assertThrows(
            CompletionException.class, () -> verifier.verify(token).toCompletableFuture().join()));
  }
}
