package dev.percolate.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.Sessions;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.CookieJar;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logins at a provider: successful, forged, repeated, and at a provider that is down. */
@Timeout(60)
final class OidcLoginTest {

  private static final String CALLBACK = "http://localhost/callback";

  private final CookieJar cookies = new CookieJar();
  private FakeIssuer issuer;
  private App app;

  @BeforeEach
  void begin() throws IOException {
    issuer = FakeIssuer.start();
    app = app(OidcLogin.of(issuer.uri(), "books", "a client secret", CALLBACK));
  }

  @AfterEach
  void end() {
    issuer.close();
  }

  private static App app(OidcLogin login) {
    App app = new App();
    app.use(Sessions.of("the secret of signatures"));
    app.use(login);
    app.get(
        "/me",
        Auth.required(),
        (req, res) -> {
          AuthUser user = req.attr(Auth.USER);
          res.send(user.name() + " " + user.roles() + " " + user.claims().keySet());
        });
    app.get("/admin", Auth.role("admin"), Members.SHOW);
    return app;
  }

  private Reply ask(String target) {
    return Call.get(target).with(cookies).to(app);
  }

  /** Follows a login to the provider, and returns the path of its redirect. */
  private String atProvider(String login) {
    URI back =
        URI.create(String.valueOf(atProvider(URI.create(location(ask(login)))).header("Location")));
    return back.getRawPath() + "?" + back.getRawQuery();
  }

  private Reply atProvider(URI url) {
    return Call.get(url.getRawPath() + "?" + url.getRawQuery()).to(URI.create(issuer.uri()));
  }

  private static String location(Reply reply) {
    assertEquals(302, reply.status(), reply::text);
    return String.valueOf(reply.header("Location"));
  }

  @Test
  void aVisitorLogsInAndOut() {
    issuer.user(new AuthUser("ann", Set.of("admin"), Set.of(), Map.of("email", "a@example.com")));
    assertEquals(401, ask("/me").status());
    Reply reply = ask(atProvider("/login"));
    assertEquals("303 /", reply.status() + " " + reply.header("Location"), reply::text);
    assertEquals("ann [admin] [sub, email, roles, scope]", sorted(ask("/me").text()));
    assertEquals("ann", ask("/admin").text());
    Reply out = Call.post("/logout").with(cookies).to(app);
    assertEquals("303 /", out.status() + " " + out.header("Location"));
    assertEquals(401, ask("/me").status());
  }

  /** The order of claims is not fixed. */
  private static String sorted(String text) {
    for (String name : List.of("sub", "email", "roles", "scope")) {
      assertTrue(text.contains(name), text);
    }
    return text.substring(0, text.lastIndexOf('[')) + "[sub, email, roles, scope]";
  }

  @Test
  void theRequestToTheProviderHasStateNonceAndChallenge() {
    String url = location(ask("/login"));
    assertTrue(url.startsWith(issuer.uri() + "/authorize?"), url);
    for (String part :
        List.of(
            "response_type=code",
            "client_id=books",
            "scope=openid",
            "state=",
            "nonce=",
            "code_challenge=",
            "code_challenge_method=S256",
            "redirect_uri=http%3A%2F%2Flocalhost%2Fcallback")) {
      assertTrue(url.contains(part), part + " in " + url);
    }
    assertNotEquals(url, location(ask("/login")));
  }

  @Test
  void theSessionHasANewIdAfterTheLogin() {
    String back = atProvider("/login");
    String before = cookies.get("sid");
    assertEquals(303, ask(back).status());
    assertNotEquals(before, cookies.get("sid"));
  }

  @Test
  void aReplayedStateIsRejected() {
    String back = atProvider("/login");
    assertEquals(303, ask(back).status());
    assertRejected(back);
    String failed = atProvider("/login").replaceAll("code=[^&]*", "code=x");
    assertRejected(failed);
    assertRejected(failed);
  }

  @Test
  void oneOfSeveralSimultaneousReplaysSucceeds() {
    String back = atProvider("/login");
    List<CompletableFuture<Integer>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(CompletableFuture.supplyAsync(() -> ask(back).status()));
    }
    List<Integer> statuses = all.stream().map(CompletableFuture::join).sorted().toList();
    assertEquals(303, statuses.get(0));
    assertEquals(List.of(403, 403, 403, 403, 403, 403, 403), statuses.subList(1, 8));
  }

  @Test
  void aLoginThatWasStartedElsewhereIsRejected() {
    String back = atProvider("/login");
    assertEquals(403, Call.get(back).with(new CookieJar()).to(app).status());
    assertRejected(back.replaceAll("state=[^&]*", "state=x"));
    assertRejected(back.replaceAll("state=[^&]*&?", ""));
    assertRejected("/callback");
    Reply stranger = Call.get("/callback?state=x&code=y").to(app);
    assertEquals(403, stranger.status());
    assertEquals(List.of(), stranger.all("Set-Cookie")); // strangers get no session
  }

  @Test
  void aValueOfTheApplicationIsNotALogin() {
    app.get(
        "/attempts",
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          if (req.query("set") != null) {
            session.set("login attempts", req.query("set"));
          }
          res.send(String.valueOf(session.get("login attempts")));
        });
    assertEquals("7", ask("/attempts?set=7").text());
    assertRejected("/callback?code=x&state=attempts");
    for (int i = 0; i < 6; i++) {
      assertEquals(302, ask("/login").status());
    }
    assertEquals("7", ask("/attempts").text());
  }

  @Test
  void anotherIssuerInTheResponseIsRejected() {
    assertRejected(atProvider("/login").replaceAll("iss=[^&]*", "iss=https%3A%2F%2Fevil.example"));
    assertRejected(atProvider("/login").replaceAll("&iss=[^&]*", ""));
  }

  @Test
  void aLoginThatTheProviderRejectsIsA403() {
    String back = atProvider("/login").replaceAll("code=[^&]*", "error=access_denied");
    assertRejected(back);
  }

  @Test
  void wrongClaimsOfTheIdTokenAreRejected() {
    for (Map<String, Object> wrong :
        List.<Map<String, Object>>of(
            Map.of("nonce", "x"),
            Map.of("aud", "another"),
            Map.of("iss", "https://evil.example"),
            Map.of("exp", Date.from(Instant.EPOCH)),
            Map.of("iat", Date.from(Instant.now().plusSeconds(3600))))) {
      issuer.claims(wrong);
      assertRejected(atProvider("/login"));
    }
  }

  @Test
  void aProviderThatIsDownIsA503() {
    String back = atProvider("/login");
    issuer.available(false);
    Reply reply = ask(back);
    assertEquals(503, reply.status(), reply::text);
    App other = app(OidcLogin.of(issuer.uri(), "books", "a client secret", CALLBACK));
    assertEquals(503, Call.get("/login").to(other).status());
  }

  @Test
  void theCallbackMayHaveEscapes() {
    app = app(OidcLogin.of(issuer.uri(), "books", "x", "http://localhost/r%C3%BCck"));
    assertEquals(303, ask(atProvider("/login")).status());
  }

  @Test
  void theCallbackMayHaveAQuery() {
    app = app(OidcLogin.of(issuer.uri(), "books", "x", CALLBACK + "?tenant=a"));
    assertEquals(303, ask(atProvider("/login")).status());
  }

  @Test
  void aProviderWhoseLoginPageIsNotEncryptedIsA503() throws IOException {
    App provider = new App();
    provider.get(
        "/.well-known/openid-configuration",
        (req, res) ->
            res.json(
                Map.of(
                    "issuer",
                    "http://" + req.get("Host"),
                    "authorization_endpoint",
                    "http://id.example/authorize")));
    try (Server server = provider.listen(0)) {
      OidcLogin login = OidcLogin.of(server.uri().toString(), "books", "x", CALLBACK);
      Reply reply = Call.get("/login").to(app(login));
      assertEquals(503, reply.status(), reply::text);
    }
  }

  @Test
  void severalTabsCanLogInAtTheSameTime() {
    String first = atProvider("/login");
    String second = atProvider("/login");
    assertEquals(303, ask(second).status());
    // The first login belongs to the session before the login.
    assertRejected(first);
    String third = atProvider("/login?return=/a");
    String fourth = atProvider("/login?return=/b");
    assertNotEquals(third, fourth);
    assertEquals("/a", ask(third).header("Location"));
  }

  @Test
  void onlyAFewLoginsAreKept() {
    String first = atProvider("/login");
    for (int i = 0; i < 5; i++) {
      assertEquals(302, ask("/login").status());
    }
    assertRejected(first);
  }

  @Test
  void aBrowserIsRedirectedToTheLoginAndBack() {
    Reply reply =
        Call.get("/me?x=1&y=%20")
            .header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
            .with(cookies)
            .to(app);
    assertEquals("/login?return=%2Fme%3Fx%3D1%26y%3D%2520", location(reply));
    Reply back = ask(atProvider(location(reply)));
    assertEquals("/me?x=1&y=%20", back.header("Location"));
    Reply script = Call.get("/me").header("Accept", "application/json").to(app);
    assertEquals(
        "401 Login realm=\"site\"", script.status() + " " + script.header("WWW-Authenticate"));
  }

  /** Escapes are escaped again, so the target of the login could be too long for the server. */
  @Test
  void aPageWithALongAddressDoesNotPreventTheLogin() {
    Call call = Call.get("/me?x=" + "%20".repeat(2000)).header("Accept", "text/html");
    assertEquals("/login", location(call.with(cookies).to(app)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example",
        "//evil.example",
        "/%5Cevil.example",
        "/%09/evil.example",
        "evil",
        "javascript:alert(1)"
      })
  void theLoginReturnsOnlyToPagesOfThisSite(String target) {
    assertEquals("/", ask(atProvider("/login?return=" + target)).header("Location"));
  }

  @Test
  void theApplicationDecidesWhoTheUserIs() {
    OidcLogin login = OidcLogin.of(issuer.uri(), "books", "a client secret", CALLBACK);
    app = app(login.user(user -> AuthUser.of("account of " + user.name(), "admin")));
    assertEquals(303, ask(atProvider("/login")).status());
    assertEquals("account of ann", ask("/admin").text());
    app =
        app(
            login.user(
                user -> {
                  throw new HttpError(403, "no account");
                }));
    cookies.clear();
    assertEquals(403, ask(atProvider("/login")).status());
    app =
        app(
            login.user(
                user -> {
                  throw new IllegalStateException("database is down");
                }));
    cookies.clear();
    assertEquals(500, ask(atProvider("/login")).status());
  }

  @Test
  void anApplicationWithoutSessionsDoesNotStart() {
    App without = new App();
    without.use(OidcLogin.of(issuer.uri(), "books", "x", CALLBACK));
    IllegalStateException error = assertThrows(IllegalStateException.class, without::checkStart);
    String cure =
        "OidcLogin has no sessions before it. Add app.use(Sessions.of(secret)) before it.";
    assertTrue(error.getMessage().contains(cure), error::getMessage);
    app.checkStart();
  }

  @Test
  void invalidOptionsAreRejectedByName() {
    String id = "https://id.example";
    String back = "https://books.example/callback";
    OidcLogin login = OidcLogin.of(id, "books", "x", back);
    assertTrue(
        Members.rejection(() -> OidcLogin.of("http://id.example", "books", "x", back))
            .startsWith("issuer must"));
    assertTrue(
        Members.rejection(() -> OidcLogin.of(id, "", "x", back)).startsWith("clientId must"));
    assertTrue(
        Members.rejection(() -> OidcLogin.of(id, "books", "", back))
            .startsWith("clientSecret must"));
    assertTrue(
        Members.rejection(() -> OidcLogin.of(id, "books", "x", "https://books.example/"))
            .startsWith("callback must"));
    assertTrue(
        Members.rejection(() -> OidcLogin.of(id, "books", "x", "/callback"))
            .startsWith("callback must"));
    assertTrue(Members.rejection(() -> login.loginPath("login")).startsWith("loginPath must"));
    assertTrue(Members.rejection(() -> login.logoutPath("//x")).startsWith("logoutPath must"));
    assertTrue(Members.rejection(() -> login.roles("")).startsWith("roles must"));
  }

  private void assertRejected(String back) {
    Reply reply = ask(back);
    assertEquals(403, reply.status(), reply::text);
  }
}
