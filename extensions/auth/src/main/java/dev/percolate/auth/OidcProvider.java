package dev.percolate.auth;

import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenErrorResponse;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.validators.IDTokenClaimsVerifier;
import dev.percolate.core.AsyncHandler;
import dev.percolate.http.HttpError;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID Connect provider: the authorization code flow with PKCE (OpenID Connect Core section
 * 3.1, RFC 7636). Does not block.
 */
final class OidcProvider {

  private static final int CLOCK_SKEW_SECONDS = 60;

  final String issuer;
  final URI callback;
  private final ClientID client;
  private final Secret secret;
  private final CachedValue<Map<String, Object>> metadata;

  OidcProvider(String issuer, String clientId, String clientSecret, URI callback) {
    this.issuer = issuer;
    this.callback = callback;
    this.client = new ClientID(clientId);
    this.secret = new Secret(clientSecret);
    this.metadata = new CachedValue<>(() -> IssuerClient.metadata(issuer), System::nanoTime);
  }

  /** Returns the URL of the login page of the provider. */
  CompletionStage<String> loginUrl(PendingLogin login, Scope scope) {
    return failingWithStatus(
        metadata
            .get()
            .thenApply(
                known ->
                    new AuthenticationRequest.Builder(ResponseType.CODE, scope, client, callback)
                        .endpointURI(endpoint(known, "authorization_endpoint"))
                        .state(login.state())
                        .nonce(login.nonce())
                        .codeChallenge(login.verifier(), CodeChallengeMethod.S256)
                        .build()
                        .toURI()
                        .toString()));
  }

  private static URI endpoint(Map<String, Object> known, String name) {
    return IssuerClient.uri(name, String.valueOf(known.get(name)));
  }

  /**
   * Exchanges the code of a login for its user.
   *
   * @param code the code with which the visitor came back
   * @param sender the issuer that the visitor names (RFC 9207); null if there is none
   * @param login the login that the visitor started
   * @param tokens verifies the signature of the ID token
   * @return the user of the ID token; the stage fails with an {@link HttpError}: 403 if the
   *     provider rejects the code, or if the token is invalid, 503 if the provider is unreachable
   */
  CompletionStage<AuthUser> user(
      String code, @Nullable String sender, PendingLogin login, TokenVerifier tokens) {
    IDTokenClaimsVerifier check =
        new IDTokenClaimsVerifier(new Issuer(issuer), client, login.nonce(), CLOCK_SKEW_SECONDS);
    return failingWithStatus(
        metadata
            .get()
            .thenCompose(
                known -> {
                  Object needed = known.get("authorization_response_iss_parameter_supported");
                  if (sender == null ? Boolean.TRUE.equals(needed) : !sender.equals(issuer)) {
                    throw rejected(null);
                  }
                  return IssuerClient.send(tokenRequest(known, code, login));
                })
            .thenCompose(response -> tokens.verify(idToken(response), check::verify)));
  }

  /** Returns a stage that fails with an {@link HttpError}. */
  private static <T> CompletionStage<T> failingWithStatus(CompletionStage<T> stage) {
    return stage.exceptionally(
        error -> {
          Throwable cause = AsyncHandler.unwrap(error);
          if (cause instanceof HttpError known && known.status() < 500) {
            throw cause instanceof InvalidTokenException ? rejected(cause) : known;
          }
          String message = "The login provider is not available";
          throw new HttpError(503, message, "login.unavailable", cause);
        });
  }

  private HttpRequest.Builder tokenRequest(
      Map<String, Object> known, String code, PendingLogin login) {
    URI uri = endpoint(known, "token_endpoint");
    boolean onlyPost =
        known.get("token_endpoint_auth_methods_supported") instanceof List<?> methods
            && methods.contains("client_secret_post")
            && !methods.contains("client_secret_basic");
    ClientAuthentication authentication =
        onlyPost ? new ClientSecretPost(client, secret) : new ClientSecretBasic(client, secret);
    AuthorizationCodeGrant grant =
        new AuthorizationCodeGrant(new AuthorizationCode(code), callback, login.verifier());
    HTTPRequest built =
        new TokenRequest.Builder(uri, authentication, grant).build().toHTTPRequest();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString(built.getBody()));
    built.getHeaderMap().forEach((name, all) -> all.forEach(value -> request.header(name, value)));
    return request;
  }

  private SignedJWT idToken(HTTPResponse response) {
    try {
      TokenResponse parsed = OIDCTokenResponseParser.parse(response);
      if (parsed instanceof OIDCTokenResponse success
          && success.getOIDCTokens().getIDToken() instanceof SignedJWT token) {
        return token;
      }
      if (parsed instanceof TokenErrorResponse failed
          && !"invalid_grant".equals(failed.getErrorObject().getCode())) {
        String reason = failed.getErrorObject().getCode();
        throw IssuerClient.failure(issuer + " rejected the token request: " + reason, null);
      }
      throw rejected(null);
    } catch (ParseException e) {
      throw IssuerClient.failure("the token response of " + issuer + " is invalid", e);
    }
  }

  private static HttpError rejected(@Nullable Throwable cause) {
    return new HttpError(403, "The login was not successful", "login.rejected", cause);
  }
}
