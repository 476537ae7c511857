package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.SubjectType;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import dev.percolate.core.Middleware;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.Sessions;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.CookieJar;
import dev.percolate.testkit.Reply;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Code of the OpenID Connect recipe, with a provider that can send invalid claims. */
@Timeout(60)
final class OidcRecipeTest {

  // #region oidc
  static App login(OIDCProviderMetadata provider, ClientSecretBasic client, URI callback)
      throws Exception {
    var tokens =
        new IDTokenValidator(
            provider.getIssuer(),
            client.getClientID(),
            JWSAlgorithm.RS256, // must not be chosen by the token
            provider.getJWKSetURI().toURL());
    App login = new App();
    login.get(
        "/login",
        (req, res) -> {
          State state = new State();
          Nonce nonce = new Nonce();
          CodeVerifier proof = new CodeVerifier();
          Session session = req.attr(Sessions.SESSION);
          session.set("state", state.getValue());
          session.set("nonce", nonce.getValue());
          session.set("proof", proof.getValue());
          var question =
              new AuthenticationRequest.Builder(
                      ResponseType.CODE, new Scope("openid"), client.getClientID(), callback)
                  .endpointURI(provider.getAuthorizationEndpointURI())
                  .state(state)
                  .nonce(nonce)
                  .codeChallenge(proof, CodeChallengeMethod.S256);
          res.redirect(question.build().toURI().toString());
        });
    login.get(
        "/callback",
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          String state = session.get("state", String.class);
          if (state == null || !state.equals(req.queryRequired("state", String.class))) {
            throw new HttpError(403, "Unknown login. Start again at /login.");
          }
          String code = req.queryRequired("code", String.class);
          if (code.isBlank()) {
            throw new HttpError(400, "Missing code.");
          }
          var grant =
              new AuthorizationCodeGrant(
                  new AuthorizationCode(code),
                  callback,
                  new CodeVerifier(session.get("proof", String.class)));
          var token = new TokenRequest.Builder(provider.getTokenEndpointURI(), client, grant);
          var request = token.build().toHTTPRequest();
          request.setConnectTimeout(5000); // ms, otherwise no timeout
          request.setReadTimeout(10_000);
          var response = OIDCTokenResponseParser.parse(request.send());
          if (!(response instanceof OIDCTokenResponse given)) {
            throw new HttpError(403, "Invalid code.");
          }
          String user;
          try {
            user =
                tokens
                    .validate(
                        given.getOIDCTokens().getIDToken(),
                        new Nonce(session.get("nonce", String.class)))
                    .getSubject()
                    .getValue();
          } catch (Exception e) {
            throw new HttpError(403, "Invalid token.");
          }
          session.regenerate().set("user", user); // with a new session id
          res.redirect(303, "/me");
        });
    return login;
  }

  // #endregion oidc

  private static final URI CALLBACK = URI.create("http://localhost/callback");
  private static final ClientSecretBasic CLIENT =
      new ClientSecretBasic(new ClientID("books"), new Secret("a secret of ours"));

  /** Claims that a test adds to the tokens of the provider. */
  private final Map<String, Object> lies = new ConcurrentHashMap<>();

  private RSAKey key;
  private Server provider;
  private App app;
  private final CookieJar cookies = new CookieJar();

  @BeforeEach
  void begin() throws Exception {
    key = new RSAKeyGenerator(2048).keyID("1").generate();
    App other = new App();
    Map<String, List<String>> begun = new ConcurrentHashMap<>();
    other.get(
        "/authorize",
        (req, res) -> {
          begun.put("a code", List.of(req.query("nonce"), req.query("code_challenge")));
          String state = URLEncoder.encode(req.query("state"), StandardCharsets.UTF_8);
          res.redirect(req.query("redirect_uri") + "?code=a+code&state=" + state);
        });
    other.post(
        "/token",
        BodyParsers.urlencoded(),
        (req, res) -> {
          List<String> known = begun.remove(req.form("code"));
          CodeVerifier proof = new CodeVerifier(req.form("code_verifier"));
          String challenge = CodeChallenge.compute(CodeChallengeMethod.S256, proof).getValue();
          if (known == null
              || !challenge.equals(known.get(1))
              || req.get("Authorization") == null) {
            res.status(400).json(Map.of("error", "invalid_grant"));
            return;
          }
          res.json(
              Map.of("access_token", "x", "token_type", "Bearer", "id_token", token(known.get(0))));
        });
    other.get("/keys", (req, res) -> res.json(new JWKSet(key.toPublicJWK()).toJSONObject()));
    provider = other.listen(0);
    var metadata =
        new OIDCProviderMetadata(
            new Issuer(provider.uri()), List.of(SubjectType.PUBLIC), at("/keys"));
    metadata.setAuthorizationEndpointURI(at("/authorize"));
    metadata.setTokenEndpointURI(at("/token"));
    Middleware member =
        (req, res, next) -> {
          if (req.attr(Sessions.SESSION).get("user") == null) {
            throw new HttpError(401, "Log in first.");
          }
          next.run();
        };
    app = new App();
    app.use(Sessions.of("the secret of signatures"));
    app.use(login(metadata, CLIENT, CALLBACK));
    app.get("/me", member, (req, res) -> res.send(req.attr(Sessions.SESSION).get("user")));
  }

  @AfterEach
  void end() {
    provider.close();
  }

  private URI at(String path) {
    return provider.uri().resolve(path);
  }

  private String token(String nonce) throws Exception {
    var claims =
        new JWTClaimsSet.Builder()
            .issuer(provider.uri().toString())
            .audience("books")
            .subject("ann")
            .issueTime(Date.from(Instant.now()))
            .expirationTime(Date.from(Instant.now().plus(Duration.ofMinutes(5))))
            .claim("nonce", nonce);
    lies.forEach(claims::claim);
    SignedJWT token =
        new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("1").build(), claims.build());
    token.sign(new RSASSASigner(key));
    return token.serialize();
  }

  private Reply ask(String target) {
    return Call.get(target).with(cookies).to(app);
  }

  /** Follows the login to the provider, and returns the address of its redirect. */
  private String atProvider() {
    URI there = URI.create(ask("/login").header("Location"));
    URI back =
        URI.create(
            Call.get(there.getPath() + "?" + there.getRawQuery()).to(at("/")).header("Location"));
    return back.getRawPath() + "?" + back.getRawQuery();
  }

  @Test
  void aLoginAtTheProviderSucceeds() {
    assertEquals(401, ask("/me").status());
    Reply reply = ask(atProvider());
    assertEquals(303, reply.status(), reply::text);
    assertEquals("ann", ask("/me").text());
  }

  @Test
  void loginsStartedElsewhereAreRejected() {
    String back = atProvider();
    Reply elsewhere = Call.get(back).with(new CookieJar()).to(app);
    assertEquals(403, elsewhere.status());
    assertEquals(403, ask(back.replaceAll("state=.*", "state=x")).status());
    assertEquals(400, ask("/callback").status()); // with neither state nor code
    assertEquals(400, ask(back.replaceAll("code=[^&]*", "code=")).status());
    assertEquals(401, ask("/me").status());
  }

  @Test
  void aCodeIsValidOnce() {
    String back = atProvider();
    assertEquals(303, ask(back).status());
    assertEquals(403, ask(back).status());
  }

  @Test
  void tokensWithWrongClaimsAreRejected() {
    for (Map<String, Object> lie :
        List.<Map<String, Object>>of(
            Map.of("nonce", "x"),
            Map.of("aud", "another"),
            Map.of("iss", "https://evil.example"),
            Map.of("exp", Date.from(Instant.EPOCH)))) {
      lies.clear();
      lies.putAll(lie);
      assertEquals(403, ask(atProvider()).status(), lie::toString);
    }
    assertEquals(401, ask("/me").status());
  }
}
