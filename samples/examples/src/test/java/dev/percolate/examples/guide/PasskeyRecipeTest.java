package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.webauthn4j.WebAuthnManager;
import com.webauthn4j.credential.CredentialRecord;
import com.webauthn4j.credential.CredentialRecordImpl;
import com.webauthn4j.data.AuthenticationData;
import com.webauthn4j.data.AuthenticationParameters;
import com.webauthn4j.data.RegistrationData;
import com.webauthn4j.data.RegistrationParameters;
import com.webauthn4j.data.client.Origin;
import com.webauthn4j.data.client.challenge.DefaultChallenge;
import com.webauthn4j.server.ServerProperty;
import com.webauthn4j.util.exception.WebAuthnException;
import dev.percolate.core.Request;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.Csrf;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.Sessions;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

/** Code of the recipe for passkeys. */
final class PasskeyRecipeTest {

  // #region passkeys
  /** A passkey of a user. */
  record Passkey(String user, CredentialRecord key) {}

  static final class Passkeys {

    private static final String HOST = "shop.example";
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final WebAuthnManager verifier = WebAuthnManager.createNonStrictWebAuthnManager();
    private final Map<String, Passkey> passkeys = new ConcurrentHashMap<>(); // use a database

    App app() {
      App app = new App();
      app.use(Csrf.sameOrigin());
      app.use(BodyParsers.text().type("application/json"));
      app.post("/passkeys/options", (req, res) -> res.json(creation(req)));
      app.post(
          "/passkeys",
          (req, res) -> {
            add(user(req), String.valueOf(req.body()), server(req));
            res.status(204).end();
          });
      app.post(
          "/login/options",
          (req, res) ->
              res.json(
                  Map.of(
                      "challenge", challenge(req), "rpId", HOST, "userVerification", "required")));
      app.post(
          "/login",
          (req, res) -> {
            String user = verify(String.valueOf(req.body()), server(req));
            req.attr(Sessions.SESSION).regenerate().set("user", user); // with a new session id
            res.status(204).end();
          });
      return app;
    }

    private static Map<String, Object> creation(Request req) {
      String user = user(req);
      String id = BASE64.encodeToString(user.getBytes(StandardCharsets.UTF_8));
      return Map.of(
          "challenge", challenge(req),
          "rp", Map.of("id", HOST, "name", "Shop"),
          "user", Map.of("id", id, "name", user, "displayName", user),
          "pubKeyCredParams",
              List.of(
                  Map.of("type", "public-key", "alg", -7), // ES256
                  Map.of("type", "public-key", "alg", -257)), // RS256
          "authenticatorSelection",
              Map.of("residentKey", "required", "userVerification", "required"));
    }

    private void add(String user, String json, ServerProperty server) {
      RegistrationData data;
      try {
        data =
            verifier.verifyRegistrationResponseJSON(
                json, new RegistrationParameters(server, null, true));
      } catch (WebAuthnException | JacksonException e) {
        throw new HttpError(403, "Invalid passkey.");
      }
      CredentialRecord key =
          new CredentialRecordImpl(
              data.getAttestationObject(),
              data.getCollectedClientData(),
              data.getClientExtensions(),
              data.getTransports());
      byte[] id = key.getAttestedCredentialData().getCredentialId();
      if (passkeys.putIfAbsent(BASE64.encodeToString(id), new Passkey(user, key)) != null) {
        throw new HttpError(409, "This passkey exists.");
      }
    }

    /** Returns the user of a passkey. */
    private String verify(String json, ServerProperty server) {
      try {
        AuthenticationData data = verifier.parseAuthenticationResponseJSON(json);
        Passkey passkey = passkeys.get(BASE64.encodeToString(data.getCredentialId()));
        if (passkey == null) {
          throw new HttpError(403, "Unknown passkey.");
        }
        verifier.verify(data, new AuthenticationParameters(server, passkey.key(), null, true));
        passkey.key().setCounter(data.getAuthenticatorData().getSignCount()); // store it
        return passkey.user();
      } catch (WebAuthnException | JacksonException e) {
        throw new HttpError(403, "Invalid passkey.");
      }
    }

    private static String user(Request req) {
      String user = req.attr(Sessions.SESSION).get("user", String.class);
      if (user == null) {
        throw new HttpError(401);
      }
      return user;
    }

    /** Creates a challenge, which is valid for one response. */
    private static String challenge(Request req) {
      byte[] challenge = new byte[32];
      new SecureRandom().nextBytes(challenge);
      String text = BASE64.encodeToString(challenge);
      req.attr(Sessions.SESSION).set("challenge", text);
      return text;
    }

    private static ServerProperty server(Request req) {
      Session session = req.attr(Sessions.SESSION);
      String challenge = session.get("challenge", String.class);
      if (challenge == null) {
        throw new HttpError(403, "No challenge. Request the options first.");
      }
      session.remove("challenge");
      return ServerProperty.builder()
          .origin(new Origin("https://" + HOST))
          .rpId(HOST)
          .challenge(new DefaultChallenge(Base64.getUrlDecoder().decode(challenge)))
          .build();
    }
  }

  // #endregion passkeys

  private static final String ORIGIN = "https://shop.example";

  private final App app = new App();
  private final FakeAuthenticator browser;
  private String cookie = "";

  PasskeyRecipeTest() throws GeneralSecurityException {
    browser = new FakeAuthenticator("shop.example");
    app.use(Sessions.of("a secret with at least 32 characters"));
    app.post(
        "/old-login",
        (req, res) -> {
          req.attr(Sessions.SESSION).set("user", "ann");
          res.end();
        });
    app.get("/me", (req, res) -> res.send(Passkeys.user(req)));
    app.use(new Passkeys().app());
  }

  /** Sends a request with the cookie of the last response. */
  private Reply send(Call call) {
    Reply reply = call.header("Cookie", cookie).to(app);
    String set = reply.header("Set-Cookie");
    cookie = set == null ? cookie : set.replaceAll(";.*", "");
    return reply;
  }

  private Reply post(String path, String json) {
    return send(Call.post(path).header("Content-Type", "application/json").body(json));
  }

  private String challenge(String path) {
    return String.valueOf(post(path, "").json(Map.class).get("challenge"));
  }

  private void register() throws GeneralSecurityException {
    send(Call.post("/old-login"));
    Reply added = post("/passkeys", browser.create(challenge("/passkeys/options"), ORIGIN));
    assertEquals(204, added.status(), added::toString);
    cookie = "";
  }

  @Test
  void aPasskeyLogsItsUserIn() throws GeneralSecurityException {
    register();
    assertEquals(401, send(Call.get("/me")).status());
    assertEquals(204, post("/login", browser.get(challenge("/login/options"), ORIGIN)).status());
    assertEquals("ann", send(Call.get("/me")).text());
  }

  @Test
  void otherOriginsAndOldChallengesAreRejected() throws GeneralSecurityException {
    register();
    String challenge = challenge("/login/options");
    assertEquals(403, post("/login", browser.get(challenge, "https://shop.test")).status());
    assertEquals(403, post("/login", browser.get(challenge, ORIGIN)).status());
    String other = new FakeAuthenticator("shop.example").get(challenge("/login/options"), ORIGIN);
    assertEquals(403, post("/login", other).status());
    String unread = challenge("/login/options");
    assertEquals(403, post("/login", "{" + unread).status());
    assertEquals(401, send(Call.get("/me")).status());
  }

  @Test
  void onlyUsersAddPasskeys() {
    assertEquals(401, post("/passkeys/options", "").status());
    assertEquals(401, post("/passkeys", "{}").status());
  }
}
