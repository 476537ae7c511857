package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.auth.ApiKeyAuth;
import dev.percolate.auth.Auth;
import dev.percolate.auth.AuthUser;
import dev.percolate.auth.BearerAuth;
import dev.percolate.auth.FakeIssuer;
import dev.percolate.auth.OidcLogin;
import dev.percolate.auth.Passwords;
import dev.percolate.auth.TokenIssuer;
import dev.percolate.auth.TokenVerifier;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.Sessions;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.CookieJar;
import dev.percolate.testkit.Reply;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Code of the page about authentication. */
@Timeout(60)
final class AuthGuideTest {

  private static final String SECRET = "a secret of at least thirty-two bytes";

  private record Login(String name, String password) {}

  private final Map<String, String> hashes = new ConcurrentHashMap<>();

  // #region require
  static App books(TokenVerifier verifier) {
    App app = new App();
    app.use(BearerAuth.of(verifier)); // sets Auth.USER
    app.get("/books", (req, res) -> res.send("public"));
    app.get("/me", Auth.required(), (req, res) -> res.send(req.attr(Auth.USER).name()));
    app.delete("/books/:id", Auth.role("admin"), (req, res) -> res.sendStatus(204));
    return app;
  }

  // #endregion require

  // #region issue
  App tokens(String secret) {
    TokenIssuer tokens = TokenIssuer.secret(secret).audience("books");
    App app = new App().use(BodyParsers.json());
    app.use(BearerAuth.of(tokens.verifier()));
    app.post(
        "/login",
        (req, res) -> {
          Login login = req.body(Login.class);
          verify(login.name(), login.password()); // see below
          res.json(Map.of("token", tokens.issue(login.name(), "reader")));
        });
    app.get("/me", Auth.required(), (req, res) -> res.send(req.attr(Auth.USER).name()));
    return app;
  }

  // #endregion issue

  // #region passwords
  private final Passwords passwords = Passwords.argon2id();

  void register(String name, String password) {
    hashes.put(name, passwords.hash(password)); // $argon2id$v=19$m=19456,t=2,p=1$…
  }

  void verify(String name, String password) {
    String stored = hashes.get(name); // null for unknown names
    if (!passwords.verify(password, stored)) {
      throw new HttpError(401, "Wrong name or password");
    }
    if (passwords.needsRehash(stored)) {
      hashes.put(name, passwords.hash(password));
    }
  }

  // #endregion passwords

  @Test
  void aRoleIsRequired() throws Exception {
    // #region test
    try (FakeIssuer issuer = FakeIssuer.start()) {
      App app = books(TokenVerifier.of(issuer.uri(), "books"));
      String ann = issuer.token("books", AuthUser.of("ann", "admin"));
      String bob = issuer.token("books", AuthUser.of("bob"));
      Call delete = Call.delete("/books/1");
      assertEquals(401, delete.to(app).status());
      assertEquals(403, delete.header("Authorization", "Bearer " + bob).to(app).status());
      assertEquals(204, delete.header("Authorization", "Bearer " + ann).to(app).status());
    }
    // #endregion test
  }

  @Test
  void apiKeysAreStoredAsHashes() {
    Map<String, AuthUser> users = new ConcurrentHashMap<>();
    App app = new App();
    // #region keys
    String key = ApiKeyAuth.newKey("books"); // show it once: books_3yK…
    users.put(ApiKeyAuth.hash(key), AuthUser.of("ann"));

    app.use(ApiKeyAuth.of(hash -> users.get(hash))); // null is a 401
    // #endregion keys
    app.get("/me", Auth.required(), (req, res) -> res.send(req.attr(Auth.USER).name()));
    assertEquals("ann", Call.get("/me").header("X-API-Key", key).to(app).text());
    assertEquals(401, Call.get("/me").header("X-API-Key", "x").to(app).status());
    assertEquals(401, Call.get("/me").to(app).status());
  }

  @Test
  void aPasswordGetsAToken() {
    register("ann", "correct horse");
    App app = tokens(SECRET);
    Call login = Call.post("/login");
    assertEquals(401, login.json(new Login("ann", "wrong")).to(app).status());
    assertEquals(401, login.json(new Login("eve", "wrong")).to(app).status());
    Reply reply = login.json(new Login("ann", "correct horse")).to(app);
    Object token = reply.json(Map.class).get("token");
    assertEquals("ann", Call.get("/me").header("Authorization", "Bearer " + token).to(app).text());
  }

  // #region login
  static App site(String issuer, String secret, String clientSecret) {
    App app = new App();
    app.use(Sessions.of(secret)); // stores the login
    app.use(OidcLogin.of(issuer, "books", clientSecret, "http://localhost:3000/callback"));
    app.get("/me", Auth.required(), (req, res) -> res.send(req.attr(Auth.USER).name()));
    return app;
  }

  // #endregion login

  @Test
  void aVisitorLogsIn() throws Exception {
    try (FakeIssuer issuer = FakeIssuer.start()) {
      App app = site(issuer.uri(), SECRET, "a client secret");
      CookieJar cookies = new CookieJar();
      URI there = URI.create(Call.get("/login").with(cookies).to(app).header("Location"));
      String target = there.getRawPath() + "?" + there.getRawQuery();
      URI back = URI.create(Call.get(target).to(URI.create(issuer.uri())).header("Location"));
      Reply reply = Call.get(back.getRawPath() + "?" + back.getRawQuery()).with(cookies).to(app);
      assertEquals(303, reply.status(), reply::text);
      assertEquals("ann", Call.get("/me").with(cookies).to(app).text());
    }
  }
}
