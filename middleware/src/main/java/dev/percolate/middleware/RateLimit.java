package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.StartCheck;
import dev.percolate.core.store.RateStore;
import dev.percolate.core.store.StoreUnavailable;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.ToIntFunction;
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
 *   client      req.ip(), or its network   tells clients apart
 *   permits     1                          how much a request takes
 *   store       in memory                  counts
 *   onFailure   LOCAL                      what counts while the store fails
 * </pre>
 *
 * <pre>{@code
 * app.use(RateLimit.of(100, Duration.ofMinutes(1)));
 * app.post("/login", RateLimit.of(5, Duration.ofMinutes(10)), Users::login);
 * }</pre>
 */
@CheckReturnValue
public final class RateLimit extends Copyable<RateLimit> implements Middleware, StartCheck {

  /** What counts while the store fails. */
  public enum OnFailure {
    /** This process counts in its memory: with n processes a client may send n times as much. */
    LOCAL,
    /** Nothing: all requests go on. */
    OPEN,
    /** All requests get {@link StoreUnavailable}: 503, with {@code Retry-After}. */
    REFUSE
  }

  private final int limit;
  private final Duration window;
  private final StoreFailures failures = new StoreFailures("the store of rates");
  private final MemoryRates local = MemoryRates.of();
  private Function<Request, @Nullable String> client = req -> null;
  private ToIntFunction<Request> permits = req -> 1;
  private RateStore store = local;
  private OnFailure onFailure = OnFailure.LOCAL;

  private RateLimit(int limit, Duration window) {
    this.limit = limit;
    this.window = window;
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
    return new RateLimit(limit, window);
  }

  /**
   * Chooses what tells clients apart, such as the user's name. The store gets names of 64
   * characters at most: a hash takes the place of longer ones.
   *
   * @param client gives the name of a request's client; null or empty for one without a name, which
   *     counts by its address. A name that clients choose as they like limits nobody
   */
  public RateLimit client(Function<Request, @Nullable String> client) {
    return with(copy -> copy.client = client);
  }

  /**
   * Chooses how much of the limit a request takes, such as more for a search than for a page.
   *
   * @param permits gives 1 to the limit; a larger number counts as the limit, a smaller one as 1
   */
  public RateLimit permits(ToIntFunction<Request> permits) {
    return with(copy -> copy.permits = permits);
  }

  /**
   * Chooses where requests are counted. Limits that share a store share the counts of clients with
   * the same name.
   *
   * @param store the store
   */
  public RateLimit store(RateStore store) {
    return with(copy -> copy.store = store);
  }

  /**
   * Chooses what counts while the store fails. A warning a minute says that it does.
   *
   * @param onFailure what counts
   */
  public RateLimit onFailure(OnFailure onFailure) {
    return with(copy -> copy.onFailure = onFailure);
  }

  @Override
  public void checkStart() {
    // Without a server there is nothing to check.
  }

  @Override
  public void checkStart(ListenOptions options) {
    StoreFailures.checkWaits(store.waits(), store, "RateLimit", options);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    String name = ClientName.of(client.apply(req), req);
    int many = Math.max(1, Math.min(limit, permits.applyAsInt(req)));
    RateStore.Taken taken = take(name, many, res);
    if (taken != null) {
      tell(taken, res);
    }
    next.run();
  }

  private RateStore.@Nullable Taken take(String name, int many, Response res) {
    long millis = window.toMillis();
    try {
      return store.take(name, many, limit, millis);
    } catch (IOException e) {
      return switch (onFailure) {
        case REFUSE -> throw failures.refuse(e, res);
        case LOCAL -> {
          failures.note(e);
          yield local.take(name, many, limit, millis);
        }
        case OPEN -> {
          failures.note(e);
          yield null;
        }
      };
    }
  }

  private void tell(RateStore.Taken taken, Response res) {
    res.set("RateLimit-Limit", Integer.toString(limit))
        .set("RateLimit-Remaining", Integer.toString(taken.remaining()))
        .set("RateLimit-Reset", Long.toString(seconds(taken.fullMillis())));
    if (!taken.allowed()) {
      long wait = Math.max(1, seconds(taken.waitMillis()));
      res.set("Retry-After", Long.toString(wait));
      throw new HttpError(429).with("retryAfter", wait);
    }
  }

  private static long seconds(long millis) {
    return (millis + 999) / 1000;
  }
}
