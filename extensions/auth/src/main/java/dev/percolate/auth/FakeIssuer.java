package dev.percolate.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.percolate.core.Chain;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.http.Hash;
import dev.percolate.http.Percent;
import dev.percolate.http.QueryString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID Connect provider for tests, on a port of this machine. It logs in the user of {@link
 * #user} without asking, and issues any token. It accepts each client and secret, so use it in
 * tests only.
 *
 * <pre>{@code
 * try (FakeIssuer issuer = FakeIssuer.start()) {
 *   App app = Books.app(TokenVerifier.of(issuer.uri(), "books"));
 *   String token = issuer.token("books", AuthUser.of("ann", "admin"));
 *   Reply reply = Call.get("/books").header("Authorization", "Bearer " + token).to(app);
 * }
 * }</pre>
 */
public final class FakeIssuer implements AutoCloseable {

  /** Creates claims. The key of an issuer signs them, not this secret. */
  private static final TokenIssuer CLAIMS = TokenIssuer.secret("a secret that never signs tokens");

  /** The parameters of the logins that have got a code. */
  private final Map<String, Map<String, Object>> codes = new ConcurrentHashMap<>();

  private final Server server;
  private volatile ECKey key = newKey();
  private volatile AuthUser user = AuthUser.of("ann");
  private volatile Map<String, Object> claims = Map.of();
  private volatile boolean available = true;

  private FakeIssuer() throws IOException {
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1");
    server = Engine.find().listen(Chain.service(new Settings(), this::respond), options);
  }

  /**
   * Starts an issuer on a free port.
   *
   * @throws IOException if no port can be bound
   * @throws IllegalStateException if there is no engine, such as {@code percolate-nio}
   */
  public static FakeIssuer start() throws IOException {
    return new FakeIssuer();
  }

  /** Returns the URL of this issuer, as in the claim {@code iss}. */
  public String uri() {
    return "http://127.0.0.1:" + server.port();
  }

  /** Sets the user of the next logins. Default: {@code ann}, without roles. */
  public void user(AuthUser user) {
    this.user = user;
  }

  /** Sets claims that replace those of the next tokens, for example with invalid values. */
  public void claims(Map<String, Object> claims) {
    this.claims = Map.copyOf(claims);
  }

  /** Replaces the signing key. Earlier tokens become invalid. */
  public void rotateKey() {
    key = newKey();
  }

  /** Sets whether this issuer responds. If not, all its responses are a 503. */
  public void available(boolean available) {
    this.available = available;
  }

  /**
   * Issues an access token, valid for an hour.
   *
   * @param audience the application for which it is valid
   * @param user the user, whose roles and scopes it contains
   */
  public String token(String audience, AuthUser user) {
    return token(audience, user, null);
  }

  private String token(String audience, AuthUser of, @Nullable String nonce) {
    JWTClaimsSet.Builder all = CLAIMS.issuer(uri()).audience(audience).claims(of);
    all.claim("scope", String.join(" ", of.scopes())).claim("nonce", nonce);
    claims.forEach(all::claim);
    return TokenIssuer.sign(key, JWSAlgorithm.ES256, all.build());
  }

  private static ECKey newKey() {
    try {
      return new ECKeyGenerator(Curve.P_256)
          .keyID(UUID.randomUUID().toString())
          .keyUse(KeyUse.SIGNATURE)
          .generate();
    } catch (JOSEException e) {
      throw new IllegalStateException("cannot create a key for ES256", e);
    }
  }

  private void respond(Request req, Response res, Next next) throws Exception {
    if (!available) {
      res.status(503).end("unavailable");
      return;
    }
    switch (req.path()) {
      case "/.well-known/openid-configuration" -> json(res, metadata());
      case "/keys" -> json(res, new JWKSet(key.toPublicJWK()).toJSONObject());
      case "/authorize" -> authorize(req, res);
      case "/token" -> exchange(req, res);
      default -> next.run();
    }
  }

  private Map<String, Object> metadata() {
    return Map.of(
        "issuer", uri(),
        "jwks_uri", uri().concat("/keys"),
        "authorization_endpoint", uri().concat("/authorize"),
        "token_endpoint", uri().concat("/token"),
        "subject_types_supported", List.of("public"),
        "response_types_supported", List.of("code"),
        "id_token_signing_alg_values_supported", List.of("ES256"),
        "authorization_response_iss_parameter_supported", true);
  }

  private void authorize(Request req, Response res) {
    String code = UUID.randomUUID().toString();
    for (String name : List.of("client_id", "nonce", "code_challenge")) {
      String ignored = req.queryRequired(name, String.class);
    }
    codes.put(code, req.query());
    String state = Percent.encodeComponent(req.queryRequired("state", String.class));
    String from = Percent.encodeComponent(uri());
    String back = req.queryRequired("redirect_uri", String.class);
    String separator = back.contains("?") ? "&" : "?";
    res.redirect(back + separator + "code=" + code + "&state=" + state + "&iss=" + from);
  }

  private void exchange(Request req, Response res) throws IOException {
    String body = new String(req.inputStream().readAllBytes(), StandardCharsets.UTF_8);
    Map<String, Object> form = QueryString.parse(body);
    Map<String, Object> login = codes.remove(String.valueOf(form.get("code")));
    String verifier = Hash.sha256(String.valueOf(form.get("code_verifier")));
    if (login == null || !verifier.equals(login.get("code_challenge"))) {
      res.status(400);
      json(res, Map.of("error", "invalid_grant"));
      return;
    }
    String client = String.valueOf(login.get("client_id"));
    String token = token(client, user, String.valueOf(login.get("nonce")));
    String access = token(client, user);
    json(res, Map.of("access_token", access, "token_type", "Bearer", "id_token", token));
  }

  private static void json(Response res, Map<String, Object> value) {
    res.type("application/json").send(JSONObjectUtils.toJSONString(value));
  }

  @Override
  public void close() {
    server.close();
  }
}
