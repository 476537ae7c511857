package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.StartCheck;
import dev.percolate.core.store.RateLimitStore;
import dev.percolate.core.store.StoreUnavailableException;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.store.ClientName;
import dev.percolate.middleware.store.StoreFailures;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that limits the number of requests of each client (rate limiting). Each client has a
 * bucket of tokens that fills evenly. If too few tokens are left, the client gets 429 with {@code
 * Retry-After} in seconds.
 *
 * <p>Responses have {@code RateLimit-Limit}, {@code RateLimit-Remaining}, and {@code
 * RateLimit-Reset}, the seconds until the bucket is full. A client is identified by {@link
 * Request#ip}. Behind a proxy, set {@code trust proxy}; otherwise all clients share one limit. If
 * the reported address is invalid, the address of the connection is used. For IPv6 only the first
 * 64 bits are used, since one client usually has all addresses of such a network.
 *
 * <p>Each option returns a changed copy:
 *
 * <pre>
 *   client      req.ip() or its network    identifies the client
 *   cost        1                          the number of tokens that a request takes
 *   store       in memory                  counts the requests
 *   onFailure   LOCAL                      the behavior while the store fails
 * </pre>
 *
 * <pre>{@code
 * app.use(RateLimit.of(100, Duration.ofMinutes(1)));
 * app.post("/login", RateLimit.of(5, Duration.ofMinutes(10)), Users::login);
 * }</pre>
 */
@CheckReturnValue
public final class RateLimit extends Copyable<RateLimit> implements Middleware, StartCheck {

  /** The behavior while the store fails. */
  public enum OnFailure {
    /**
     * Counts in the memory of this process. With n processes, a client can send n times as many
     * requests.
     */
    LOCAL,
    /** Passes all requests on without counting them. */
    OPEN,
    /**
     * Rejects all requests with {@link StoreUnavailableException}: 503 with {@code Retry-After}.
     */
    REJECT
  }

  private final int limit;
  private final Duration window;
  private final StoreFailures failures = new StoreFailures("the rate limit store");
  private final MemoryRateLimits local = MemoryRateLimits.of();
  private Function<Request, @Nullable String> client = req -> null;
  private ToIntFunction<Request> cost = req -> 1;
  private RateLimitStore store = local;
  private OnFailure onFailure = OnFailure.LOCAL;

  private RateLimit(int limit, Duration window) {
    this.limit = limit;
    this.window = window;
  }

  /**
   * Creates a limit for each client.
   *
   * @param limit the maximum number of requests that a client can send at once
   * @param window the time in which an empty bucket fills
   * @return the middleware, with its own counts
   * @throws IllegalArgumentException if one of them is not positive
   */
  public static RateLimit of(int limit, Duration window) {
    if (limit <= 0 || window.toMillis() <= 0) {
      throw new IllegalArgumentException(
          "RateLimit.of(" + limit + ", " + window + "): limit and window must be positive");
    }
    return new RateLimit(limit, window);
  }

  /**
   * Sets the function that identifies the client, such as by user name. The store receives at most
   * 64 characters; longer names are hashed.
   *
   * @param client returns the name of the client; null or empty to use the address. If clients can
   *     choose their names freely, there is no effective limit
   */
  public RateLimit client(Function<Request, @Nullable String> client) {
    return with(copy -> copy.client = client);
  }

  /**
   * Sets the number of tokens that a request takes, for example more for a search than for a page.
   * Default: 1.
   *
   * @param cost returns the number, from 1 to the limit; smaller and larger numbers are adjusted to
   *     this range
   */
  public RateLimit cost(ToIntFunction<Request> cost) {
    return with(copy -> copy.cost = cost);
  }

  /**
   * Sets the store that counts requests. If several limits share a store, they share the counts of
   * clients with the same name.
   *
   * @param store the store
   */
  public RateLimit store(RateLimitStore store) {
    return with(copy -> copy.store = store);
  }

  /**
   * Sets the behavior while the store fails. Failures are logged at most once a minute. Default:
   * {@link OnFailure#LOCAL}.
   *
   * @param onFailure the behavior
   */
  public RateLimit onFailure(OnFailure onFailure) {
    return with(copy -> copy.onFailure = onFailure);
  }

  @Override
  public void checkStart(ListenOptions options) {
    StoreFailures.checkWaits(store.isBlocking(), store, "RateLimit", options);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    String name = ClientName.of(client.apply(req), req);
    int many = Math.max(1, Math.min(limit, cost.applyAsInt(req)));
    RateLimitStore.Result taken = take(name, many, res);
    if (taken != null) {
      tell(taken, res);
    }
    next.run();
  }

  private RateLimitStore.@Nullable Result take(String name, int many, Response res) {
    long millis = window.toMillis();
    try {
      return store.take(name, many, limit, millis);
    } catch (IOException e) {
      if (onFailure == OnFailure.REJECT) {
        throw failures.reject(e, res);
      }
      failures.note(e);
      return onFailure == OnFailure.LOCAL ? local.take(name, many, limit, millis) : null;
    }
  }

  private void tell(RateLimitStore.Result taken, Response res) {
    res.set("RateLimit-Limit", Integer.toString(limit))
        .set("RateLimit-Remaining", Integer.toString(taken.remaining()))
        .set("RateLimit-Reset", Long.toString(seconds(taken.resetMillis())));
    if (!taken.allowed()) {
      long wait = Math.max(1, seconds(taken.retryAfterMillis()));
      res.set("Retry-After", Long.toString(wait));
      throw new HttpError(429).with("retryAfter", wait);
    }
  }

  private static long seconds(long millis) {
    return (millis + 999) / 1000;
  }
}
