package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.HttpError;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many requests each client may send: it has a bucket of so many, which fills evenly.
 * Beyond that is the error 429, with {@code Retry-After} in seconds.
 *
 * <p>Answers tell how much is left by {@code RateLimit-Limit}, {@code RateLimit-Remaining} and
 * {@code RateLimit-Reset}, the seconds until the bucket is full. A client is known by {@link
 * Request#ip}: behind a proxy, set {@code trust proxy}, else all clients are one. Where that is no
 * address, since a client has written it itself, the other end of the connection counts. Of an IPv6
 * address the first 64 bits count, since its owner has all that begin with them. It is its own
 * options; each gives a changed copy:
 *
 * <pre>
 *   client   req.ip(), or its network   tells clients apart
 *   store    in memory                  counts
 * </pre>
 *
 * <pre>{@code
 * app.use(RateLimit.of(100, Duration.ofMinutes(1)));
 * app.post("/login", RateLimit.of(5, Duration.ofMinutes(10)), Users::login);
 * }</pre>
 */
@CheckReturnValue
public final class RateLimit implements Middleware {

  private final int limit;
  private final Duration window;
  private final Function<Request, @Nullable String> client;
  private final RateStore store;

  private RateLimit(
      int limit, Duration window, Function<Request, @Nullable String> client, RateStore store) {
    this.limit = limit;
    this.window = window;
    this.client = client;
    this.store = store;
  }

  /**
   * Limits the requests of each client.
   *
   * @param limit how many it may send at once
   * @param window how long it takes until it may send as many again
   * @return the middleware, which counts for itself
   * @throws IllegalArgumentException if one of them is not positive
   */
  public static RateLimit of(int limit, Duration window) {
    if (limit <= 0 || window.toMillis() <= 0) {
      throw new IllegalArgumentException(
          "RateLimit.of(" + limit + ", " + window + "): must be positive");
    }
    return new RateLimit(limit, window, req -> null, MemoryRates.of());
  }

  /**
   * Chooses what tells clients apart, such as the user's name. The store gets names of 64
   * characters at most: a hash takes the place of longer ones.
   *
   * @param client gives the name of a request's client; null or empty for one without a name, which
   *     counts by its address. A name that clients choose as they like limits nobody
   */
  public RateLimit client(Function<Request, @Nullable String> client) {
    return new RateLimit(limit, window, client, store);
  }

  /**
   * Chooses where requests are counted. Limits that share a store share the counts of clients with
   * the same name.
   *
   * @param store the store
   */
  public RateLimit store(RateStore store) {
    return new RateLimit(limit, window, client, store);
  }

  @Override
  public void handle(Request req, Response res, Next next) throws IOException {
    String name = ClientName.of(client.apply(req), req);
    RateStore.Taken taken = store.take(name, limit, window.toMillis());
    res.set("RateLimit-Limit", Integer.toString(limit))
        .set("RateLimit-Remaining", Integer.toString(taken.remaining()))
        .set("RateLimit-Reset", Long.toString(seconds(taken.fullMillis())));
    if (!taken.allowed()) {
      long wait = Math.max(1, seconds(taken.waitMillis()));
      res.set("Retry-After", Long.toString(wait));
      throw new HttpError(429).with("retryAfter", wait);
    }
    next.run();
  }

  private static long seconds(long millis) {
    return (millis + 999) / 1000;
  }
}
