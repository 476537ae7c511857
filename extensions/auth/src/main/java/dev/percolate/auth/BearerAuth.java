package dev.percolate.auth;

import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.SecurityScheme;
import dev.percolate.core.TraitsProvider;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.HeaderText;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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

  private static final String BEARER = "Bearer";

  private final TokenVerifier verifier;
  private Pattern credentials = credentials(BEARER);
  private Challenge challenge = new Challenge(BEARER, "api", true, null);

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
   * Sets the authentication scheme, for clients that send another word before the token, such as
   * {@code Authorization: Token TOKEN}. Case-insensitive. Default: {@code Bearer}.
   *
   * @param name the scheme
   * @throws IllegalArgumentException if it is not a token of HTTP
   */
  public BearerAuth scheme(String name) {
    if (!HeaderText.isToken(name)) {
      throw new IllegalArgumentException("scheme must be a token, was \"" + name + '"');
    }
    return with(
        copy -> {
          copy.credentials = credentials(name);
          copy.challenge = new Challenge(name, challenge.realm(), true, null);
        });
  }

  /** Returns the pattern of a header. Its group is the token (RFC 6750 section 2.1), if valid. */
  private static Pattern credentials(String scheme) {
    String word = Pattern.quote(scheme);
    return Pattern.compile(
        word + "(?: ++([A-Za-z0-9._~+/-]++=*+) *+|[ \t].*+|)",
        Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  }

  /**
   * Sets the realm, which names the protected area in challenges. Default: {@code api}.
   *
   * @param realm text without quotes, backslashes and control characters
   * @throws IllegalArgumentException if it contains one of these
   */
  public BearerAuth realm(String realm) {
    return with(copy -> copy.challenge = challenge.realm(realm));
  }

  @Override
  public MiddlewareTraits traits() {
    SecurityScheme shown =
        challenge.scheme().equalsIgnoreCase(BEARER)
            ? SecurityScheme.bearer("bearer")
            : SecurityScheme.apiKey("token", "Authorization"); // OpenAPI knows registered schemes
    return MiddlewareTraits.of("bearer-auth").authenticatesBy(shown).provides(Auth.USER);
  }

  @Override
  public void handle(Request req, Response res, Next next) throws Exception {
    AuthState.identify(req, res, next, challenge, () -> user(req));
  }

  private @Nullable CompletionStage<AuthUser> user(Request req) {
    List<String> sent = req.headers().all("Authorization");
    if (sent.stream().noneMatch(header -> credentials.matcher(header).matches())) {
      return null;
    }
    Matcher token = credentials.matcher(sent.get(0));
    return sent.size() == 1 && token.matches() && token.group(1) != null
        ? verifier.verify(token.group(1))
        : CompletableFuture.failedStage(InvalidTokenException.invalid(null));
  }
}
