package dev.percolate.auth;

import dev.percolate.core.AsyncHandler;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.SecurityScheme;
import dev.percolate.core.TraitsProvider;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Middleware that identifies the user by a bearer token: {@code Authorization: Bearer TOKEN} (RFC
 * 6750). Sets {@link Auth#USER}.
 *
 * <pre>{@code
 * app.use(BearerAuth.of(TokenVerifier.of("https://id.example.com", "books")));
 * app.get("/me", Auth.required(), (req, res) -> res.json(req.attr(Auth.USER).name()));
 * }</pre>
 *
 * <p>Requests without a token pass without a user; {@link Auth#required} rejects them. An invalid
 * token is always a 401 with the error {@code invalid_token}. If the keys of the issuer are not
 * available, the response is a 503. Each option returns a changed copy.
 */
@CheckReturnValue
public final class BearerAuth extends Copyable<BearerAuth> implements Middleware, TraitsProvider {

  private static final Pattern SCHEME =
      Pattern.compile("bearer(?: .*+)?+", Pattern.CASE_INSENSITIVE);

  /** A token without spaces (RFC 6750 section 2.1). */
  private static final Pattern TOKEN =
      Pattern.compile("bearer ++([A-Za-z0-9._~+/-]++=*+) *+", Pattern.CASE_INSENSITIVE);

  private final TokenVerifier verifier;
  private Challenge challenge = Challenge.of(Challenge.BEARER, Challenge.DEFAULT_REALM);

  private BearerAuth(TokenVerifier verifier) {
    this.verifier = verifier;
  }

  /**
   * Creates middleware for the tokens of a verifier.
   *
   * @param verifier verifies the tokens
   */
  public static BearerAuth of(TokenVerifier verifier) {
    return new BearerAuth(verifier);
  }

  /**
   * Sets the realm, which names the protected area in challenges. Default: {@code api}.
   *
   * @param realm text without quotes, backslashes and control characters
   * @throws IllegalArgumentException if it contains one of these
   */
  public BearerAuth realm(String realm) {
    Challenge changed = Challenge.of(Challenge.BEARER, Challenge.realm(realm));
    return with(copy -> copy.challenge = changed);
  }

  @Override
  public MiddlewareTraits traits() {
    return MiddlewareTraits.of("bearer-auth")
        .authenticatesBy(SecurityScheme.bearer("bearer"))
        .provides(Auth.USER);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    AuthState state = AuthState.of(req);
    state.offer(challenge);
    List<String> sent = req.headers().all("Authorization");
    if (AuthState.hasUser(req) || sent.stream().noneMatch(BearerAuth::isBearer)) {
      next.run();
      return;
    }
    Matcher token = TOKEN.matcher(sent.get(0));
    if (sent.size() > 1 || !token.matches()) {
      reject(res, InvalidTokenException.invalid(null), next);
      return;
    }
    verifier
        .verify(token.group(1))
        .whenComplete(
            (user, failure) -> {
              if (failure == null) {
                state.admit(req, user, challenge, next);
              } else if (AsyncHandler.unwrap(failure) instanceof InvalidTokenException invalid) {
                reject(res, invalid, next);
              } else {
                next.fail(AsyncHandler.unwrap(failure));
              }
            });
  }

  private static boolean isBearer(String header) {
    return SCHEME.matcher(header).matches();
  }

  private void reject(Response res, InvalidTokenException error, Next next) {
    AuthState.reject(res, error, challenge.invalid(String.valueOf(error.getMessage())), next);
  }
}
