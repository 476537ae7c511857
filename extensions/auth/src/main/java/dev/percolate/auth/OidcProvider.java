package dev.percolate.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
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
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import dev.percolate.core.AsyncHandler;
import dev.percolate.http.HttpError;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID Connect provider: the authorization code flow with PKCE (OpenID Connect Core section
 * 3.1, RFC 7636). Does not block.
 */
final class OidcProvider {

  private final String issuer;
  private final ClientID client;
  private final Secret secret;
  private final URI callback;
  private final CachedValue<OIDCProviderMetadata> metadata;
  private final KeySource keys;

  OidcProvider(String issuer, String clientId, String clientSecret, URI callback) {
    this.issuer = issuer;
    this.client = new ClientID(clientId);
    this.secret = new Secret(clientSecret);
    this.callback = callback;
    this.metadata = new CachedValue<>(this::load, System::nanoTime);
    this.keys = RemoteKeys.of(issuer);
  }

  private CompletionStage<OIDCProviderMetadata> load() {
    return IssuerClient.get(IssuerUri.metadata(issuer)).thenApply(this::parse);
  }

  private OIDCProviderMetadata parse(String text) {
    try {
      OIDCProviderMetadata parsed = OIDCProviderMetadata.parse(text);
      if (!issuer.equals(parsed.getIssuer().getValue())) {
        throw failure(
            "metadata names the issuer \"" + parsed.getIssuer() + "\", expected \"" + issuer + '"');
      }
      if (parsed.getAuthorizationEndpointURI() == null || parsed.getTokenEndpointURI() == null) {
        throw failure("metadata of " + issuer + " lacks authorization_endpoint or token_endpoint");
      }
      return parsed;
    } catch (ParseException e) {
      throw new CompletionException(new IOException("metadata of " + issuer + " is invalid", e));
    }
  }

  /** Returns the URL of the login page of the provider. */
  CompletionStage<String> loginUrl(PendingLogin login, Scope scope) {
    return failingWithStatus(metadata.get().thenApply(known -> loginUrl(known, login, scope)));
  }

  private String loginUrl(OIDCProviderMetadata known, PendingLogin login, Scope scope) {
    return new AuthenticationRequest.Builder(ResponseType.CODE, scope, client, callback)
        .endpointURI(known.getAuthorizationEndpointURI())
        .state(new State(login.state()))
        .nonce(new Nonce(login.nonce()))
        .codeChallenge(new CodeVerifier(login.verifier()), CodeChallengeMethod.S256)
        .build()
        .toURI()
        .toString();
  }

  /**
   * Exchanges the code of a login for the claims of its user.
   *
   * @param code the code with which the visitor came back
   * @param sender the issuer that the visitor names (RFC 9207); null if there is none
   * @param login the login that the visitor started
   * @return the claims of the ID token; the stage fails with an {@link HttpError}: 403 if the
   *     provider rejects the code, or if the token is invalid, 503 if the provider is unreachable
   */
  CompletionStage<JWTClaimsSet> claims(String code, @Nullable String sender, PendingLogin login) {
    return failingWithStatus(
        metadata
            .get()
            .thenCompose(
                known -> {
                  boolean needed = known.supportsAuthorizationResponseIssuerParam();
                  if (sender == null ? needed : !sender.equals(issuer)) {
                    throw rejected(null);
                  }
                  return IssuerClient.send(tokenRequest(known, code, login));
                })
            .thenApply(this::idToken)
            .thenCompose(
                token ->
                    keys.find(token.getHeader()).thenApply(set -> validate(token, set, login))));
  }

  /** Returns a stage that fails with an {@link HttpError}: a 503 for other errors. */
  private static <T> CompletionStage<T> failingWithStatus(CompletionStage<T> stage) {
    return stage.handle(
        (value, error) -> {
          if (error == null) {
            return value;
          }
          Throwable cause = AsyncHandler.unwrap(error);
          throw cause instanceof HttpError known
              ? known
              : new HttpError(
                  503, "The login provider is not available", "login.unavailable", cause);
        });
  }

  private HttpRequest.Builder tokenRequest(
      OIDCProviderMetadata known, String code, PendingLogin login) {
    AuthorizationCodeGrant grant =
        new AuthorizationCodeGrant(
            new AuthorizationCode(code), callback, new CodeVerifier(login.verifier()));
    HTTPRequest built =
        new TokenRequest.Builder(known.getTokenEndpointURI(), authentication(known), grant)
            .build()
            .toHTTPRequest();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(known.getTokenEndpointURI())
            .POST(HttpRequest.BodyPublishers.ofString(built.getBody()));
    built
        .getHeaderMap()
        .forEach((name, values) -> values.forEach(value -> request.header(name, value)));
    return request;
  }

  private ClientAuthentication authentication(OIDCProviderMetadata known) {
    List<ClientAuthenticationMethod> methods = known.getTokenEndpointAuthMethods();
    boolean onlyPost =
        methods != null
            && methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_POST)
            && !methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_BASIC);
    return onlyPost ? new ClientSecretPost(client, secret) : new ClientSecretBasic(client, secret);
  }

  private SignedJWT idToken(IssuerClient.Reply reply) {
    TokenResponse response;
    try {
      HTTPResponse copy = new HTTPResponse(reply.status());
      copy.setContentType(reply.contentType());
      copy.setBody(reply.body());
      response = OIDCTokenResponseParser.parse(copy);
    } catch (ParseException e) {
      throw new CompletionException(
          new IOException("the token response of " + issuer + " is invalid", e));
    }
    if (response instanceof TokenErrorResponse error) {
      String reason = String.valueOf(error.getErrorObject().getCode());
      if (reason.equals("invalid_grant")) {
        throw rejected(null);
      }
      throw failure(issuer + " rejected the token request: " + reason);
    }
    if (response instanceof OIDCTokenResponse success
        && success.getOIDCTokens().getIDToken() instanceof SignedJWT token) {
      return token;
    }
    throw rejected(null);
  }

  private JWTClaimsSet validate(SignedJWT token, JWKSet set, PendingLogin login) {
    JWSVerificationKeySelector<SecurityContext> selector =
        new JWSVerificationKeySelector<>(RemoteKeys.ALGORITHMS, new ImmutableJWKSet<>(set));
    IDTokenValidator validator = new IDTokenValidator(new Issuer(issuer), client, selector, null);
    try {
      return validator.validate(token, new Nonce(login.nonce())).toJWTClaimsSet();
    } catch (BadJOSEException | JOSEException | ParseException e) {
      throw rejected(e);
    }
  }

  private static HttpError rejected(@Nullable Throwable cause) {
    return new HttpError(403, "The login was not successful", "login.rejected", cause);
  }

  private static CompletionException failure(String message) {
    return new CompletionException(new IOException(message));
  }
}
