package dev.percolate.auth;

import com.nimbusds.oauth2.sdk.auth.Secret;
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
import dev.percolate.http.HttpError;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that identifies the user by an API key in a header. Sets {@link Auth#USER}.
 *
 * <p>Store only the {@linkplain #hash hashes} of keys. The lookup gets the hash of the key that the
 * client sent, so the time of the lookup reveals nothing about a key:
 *
 * <pre>{@code
 * String key = ApiKeyAuth.newKey("books"); // shown to the user once
 * db.add(ApiKeyAuth.hash(key), user);
 *
 * app.use(ApiKeyAuth.of(hash -> db.userOfKey(hash)));
 * app.get("/books", Auth.required(), (req, res) -> …);
 * }</pre>
 *
 * <p>Requests without a key pass without a user; {@link Auth#required} rejects them. An unknown key
 * is always a 401. Each option returns a changed copy.
 */
@CheckReturnValue
public final class ApiKeyAuth extends Copyable<ApiKeyAuth> implements Middleware, TraitsProvider {

  private static final String DEFAULT_HEADER = "X-API-Key";
  private static final int MOST_CHARACTERS = 512;

  private final AsyncLookup lookup;
  private String header = DEFAULT_HEADER;
  private Challenge challenge = new Challenge("ApiKey", "api", false, null);

  private ApiKeyAuth(AsyncLookup lookup) {
    this.lookup = lookup;
  }

  /** Finds the user of a key. May block. */
  @FunctionalInterface
  public interface Lookup {

    /**
     * Finds a user.
     *
     * @param hash the {@linkplain #hash hash} of the key
     * @return the user; null if the key is unknown
     * @throws Exception any failure; it goes to the error handlers
     */
    @Nullable AuthUser find(String hash) throws Exception;
  }

  /** Finds the user of a key without blocking. */
  @FunctionalInterface
  public interface AsyncLookup {

    /**
     * Starts to find a user.
     *
     * @param hash the {@linkplain #hash hash} of the key
     * @return a stage that completes with the user; with null if the key is unknown
     * @throws Exception any failure; it goes to the error handlers
     */
    CompletionStage<? extends @Nullable AuthUser> find(String hash) throws Exception;
  }

  /**
   * Creates middleware with a lookup.
   *
   * @param lookup returns the user of the hash of a key
   */
  public static ApiKeyAuth of(Lookup lookup) {
    return async(hash -> CompletableFuture.completedFuture(lookup.find(hash)));
  }

  /**
   * Creates middleware with an asynchronous lookup.
   *
   * @param lookup returns the user of the hash of a key
   */
  public static ApiKeyAuth async(AsyncLookup lookup) {
    return new ApiKeyAuth(lookup);
  }

  /**
   * Creates a key of 256 random bits.
   *
   * @param prefix the start of the key, by which people and secret scanners recognize it, such as
   *     {@code books}
   * @return the key: the prefix, an underscore, and 43 characters
   * @throws IllegalArgumentException if the prefix contains other characters than letters, digits,
   *     {@code -} and {@code _}
   */
  public static String newKey(String prefix) {
    if (!prefix.matches("[A-Za-z0-9_-]{1,32}")) {
      throw new IllegalArgumentException(
          "prefix must consist of 1 to 32 letters, digits, '-' and '_', was \"" + prefix + '"');
    }
    return prefix + '_' + new Secret().getValue();
  }

  /**
   * Returns the hash of a key, to be stored: SHA-256 in hexadecimal. A slow hash is not needed,
   * since a random key cannot be guessed.
   *
   * @param key the key
   */
  public static String hash(String key) {
    return HexFormat.of().formatHex(new Secret(key).getSHA256());
  }

  /**
   * Sets the header. Default: {@code X-API-Key}. Keys in queries are not supported: they would get
   * into logs.
   *
   * @param name the name of the header
   * @throws IllegalArgumentException if it is not a header name
   */
  public ApiKeyAuth header(String name) {
    if (!HeaderText.isToken(name)) {
      throw new IllegalArgumentException("header must be a header name, was \"" + name + '"');
    }
    return with(copy -> copy.header = name);
  }

  /**
   * Sets the realm, which names the protected area in challenges. Default: {@code api}.
   *
   * @param realm text without quotes, backslashes and control characters
   * @throws IllegalArgumentException if it contains one of these
   */
  public ApiKeyAuth realm(String realm) {
    return with(copy -> copy.challenge = challenge.realm(realm));
  }

  @Override
  public MiddlewareTraits traits() {
    String other = header.replaceAll("[^A-Za-z0-9._-]", "_");
    String name = header.equalsIgnoreCase(DEFAULT_HEADER) ? "apiKey" : "apiKey-" + other;
    return MiddlewareTraits.of("api-key-auth")
        .authenticatesBy(SecurityScheme.apiKey(name, header))
        .provides(Auth.USER);
  }

  @Override
  public void handle(Request req, Response res, Next next) throws Exception {
    AuthState.identify(req, res, next, challenge, () -> user(req.get(header)));
  }

  private @Nullable CompletionStage<AuthUser> user(@Nullable String key) throws Exception {
    if (key == null) {
      return null;
    }
    boolean possible = !key.isEmpty() && key.length() <= MOST_CHARACTERS;
    CompletionStage<? extends @Nullable AuthUser> user =
        possible ? lookup.find(hash(key)) : CompletableFuture.completedStage(null);
    return user.thenApply(
        found -> {
          if (found == null) {
            throw new HttpError(401, "The API key is invalid", "key.invalid", null);
          }
          return found;
        });
  }
}
