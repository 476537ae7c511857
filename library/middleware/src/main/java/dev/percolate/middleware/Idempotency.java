package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.StartCheck;
import dev.percolate.core.TraitsProvider;
import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.ByteSize;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import dev.percolate.http.Quantity;
import dev.percolate.middleware.socket.SocketThreads;
import dev.percolate.middleware.store.Fingerprint;
import dev.percolate.middleware.store.KeepingFilter;
import dev.percolate.middleware.store.KeyLease;
import dev.percolate.middleware.store.StoreFailures;
import dev.percolate.middleware.store.StoredResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that runs a request only once, even if a client or a proxy sends it several times. The
 * first response for an {@code Idempotency-Key} is stored. It is sent again for each request with
 * the same key, client, method, target, body and files. A client that got no response can retry a
 * POST.
 *
 * <p>Add it after the body parser, and after middleware that identifies the client: {@link
 * Sessions}, {@link CookieSession}, {@link BasicAuth}, that of {@code percolate-auth}, or your own
 * middleware with {@link MiddlewareTraits#authenticates}, which sets {@link BasicAuth#USER} or
 * {@code Auth.USER}. A server does not start without one, unless {@link #client} or {@link
 * #anonymous} is called. A request whose client cannot be identified runs as if it had no key.
 *
 * <p>While the first request runs, another request with its key waits up to {@code waitTimeout} for
 * the response. Then it gets 409 with {@code Retry-After}. A key that was used for a different
 * request gets 422. Responses with status code 500 and above, 408, 425 and 429 are not stored, so
 * the request can be retried. If the body was cut off, as after the client disconnected, repeated
 * requests get 409. Headers that the route sets are stored, except cookies; earlier middleware sets
 * the other headers for each request. The body is stored without compression, and compressed for
 * each client. A repeated response has the header {@code Idempotency-Replayed: true}.
 *
 * <p>Each option returns a changed copy:
 *
 * <pre>
 *   ttl          1 day                      how long a response is stored
 *   lease        8 seconds                  how long a key stays taken after its server died
 *   waitTimeout  2 seconds                  how long a request waits for a running one
 *   maxBodySize  64kb                       the longest body that is stored
 *   methods      POST PATCH                 the methods whose requests can have a key
 *   required     false                      whether requests without a key get 400
 *   client       Authorization and session  identifies the client
 * </pre>
 *
 * <p>If a server dies while it runs a request, the work may or may not have been done. Store an
 * effect that must not happen twice together with {@link #KEY}, in one transaction.
 *
 * <pre>{@code
 * app.use(Sessions.of(secret));
 * app.post("/orders", BodyParsers.json(), Idempotency.of(MemoryIdempotency.of()), Orders::add);
 * }</pre>
 */
@CheckReturnValue
public final class Idempotency extends Copyable<Idempotency> implements Middleware, StartCheck {

  /**
   * The idempotency key of a request, scoped to its client. It has 43 characters, and no other
   * client can produce it. Use {@code req.get("Idempotency-Key")} for the text that the client
   * sent.
   */
  public static final Key<String> KEY =
      Key.of("idempotency key", String.class).providedBy("app.use(Idempotency.of(store))");

  private static final String HEADER = "Idempotency-Key";
  private static final int LONGEST_KEY = 255;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

  private static final String UNIDENTIFIED =
      """
      Idempotency: no middleware before it identifies the client, so one client could get the\
       response of another. Add one of these lines before it:
        app.use(Sessions.of(secret));
        app.use(CookieSession.encrypted(secret));
        app.use(BasicAuth.of(users::verify));
      or choose how a client is identified, such as by an API key:
        Idempotency.of(store).client(req -> req.get("X-Api-Key"))
      or, if all clients may share their responses:
        Idempotency.of(store).anonymous()\
      """;

  private final IdempotencyStore store;
  private final StoreFailures failures = new StoreFailures("the idempotency store");
  private Duration ttl = Duration.ofDays(1);
  private Duration lease = Duration.ofSeconds(8);
  private Duration waitTimeout = Duration.ofSeconds(2);
  private int maxBodySize = 64 << 10;
  private Set<String> methods = Set.of("POST", "PATCH");
  private boolean required;
  private @Nullable Function<Request, @Nullable String> client;
  private boolean anonymous;

  private Idempotency(IdempotencyStore store) {
    this.store = store;
  }

  /**
   * Creates middleware that keeps responses in a store.
   *
   * @param store the store
   */
  public static Idempotency of(IdempotencyStore store) {
    return new Idempotency(store);
  }

  /**
   * Sets how long a response is stored. Default: 1 day.
   *
   * @param time at least 1 millisecond
   * @throws IllegalArgumentException if it is less
   */
  public Idempotency ttl(Duration time) {
    return with(copy -> copy.ttl = Quantity.atLeast("ttl", Duration.ofMillis(1), time));
  }

  /**
   * Sets how long a key remains in use after its server has died. A live server renews the lease
   * four times in this period while the request runs. Default: 8 seconds.
   *
   * @param time at least 1 second, and longer than the longest pause of the process; otherwise
   *     requests may run twice
   * @throws IllegalArgumentException if it is less
   */
  public Idempotency lease(Duration time) {
    return briefLease(Quantity.atLeast("lease", Duration.ofSeconds(1), time));
  }

  /** Sets a lease of any length, for tests. */
  Idempotency briefLease(Duration time) {
    return with(copy -> copy.lease = time);
  }

  /**
   * Sets how long a request waits for a running request with the same key before it gets 409.
   * Waiting does not occupy a thread. Default: 2 seconds.
   *
   * @param time zero to respond with 409 at once
   * @throws IllegalArgumentException if it is negative
   */
  public Idempotency waitTimeout(Duration time) {
    return with(copy -> copy.waitTimeout = Quantity.notNegative("waitTimeout", time));
  }

  /**
   * Sets the longest body that is stored. If a body is longer, or a servlet after a filter sends
   * it, repeated requests get 409, so that nothing is done twice. Default: 64 KiB.
   *
   * @param size a size such as {@code 64kb}
   * @throws IllegalArgumentException if the size is invalid, or more than 16 MiB
   */
  public Idempotency maxBodySize(String size) {
    long bytes = ByteSize.bytes("maxBodySize", size);
    if (bytes > 16 << 20) {
      throw Options.wrong("maxBodySize", size, "must be at most 16mb");
    }
    return with(copy -> copy.maxBodySize = (int) bytes);
  }

  /**
   * Sets the methods whose requests can have a key. The key of other requests is ignored. Default:
   * POST and PATCH.
   *
   * @param methods the method names; standard HTTP methods are case-insensitive
   * @throws IllegalArgumentException if a name is invalid
   */
  public Idempotency methods(String... methods) {
    return with(copy -> copy.methods = Options.methods("methods", methods));
  }

  /**
   * Sets whether requests with these methods must have a key. Default: false.
   *
   * @param required true to respond with 400 to requests without a key
   */
  public Idempotency required(boolean required) {
    return with(copy -> copy.required = required);
  }

  /**
   * Sets the function that identifies the client, such as by an API key. Clients never share a key.
   * Use it if clients send tokens that change, such as refreshed JWTs: {@code client(req ->
   * req.attr(CLAIMS).subject())}. Default: {@code Authorization} with any scheme, else {@link
   * BasicAuth#USER}; the user of {@code percolate-auth}; and the session.
   *
   * @param client returns text that identifies only this client; null or empty if the client cannot
   *     be identified, then the request runs as if it had no key
   */
  public Idempotency client(Function<Request, @Nullable String> client) {
    return with(copy -> copy.client = client);
  }

  /**
   * Allows clients that cannot be identified to share keys: such a client gets the response of
   * another if it sends the same key and request. Use it only if responses contain no secrets or
   * keys cannot be guessed.
   */
  public Idempotency anonymous() {
    return with(copy -> copy.anonymous = true);
  }

  @Override
  public void checkStart(ListenOptions options) {
    StoreFailures.checkWaits(store.isBlocking(), store, "Idempotency", options);
  }

  @Override
  public void checkStart(ListenOptions options, List<Middleware> before) {
    checkStart(options);
    boolean identified =
        client != null
            || anonymous
            || before.stream()
                .anyMatch(
                    step ->
                        step instanceof TraitsProvider kind && kind.traits().isAuthentication());
    if (!identified) {
      throw new IllegalStateException(UNIDENTIFIED);
    }
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    String given = methods.contains(req.method()) ? key(req) : null;
    String scoped = given == null ? null : scoped(req, given);
    if (scoped == null) {
      next.run();
      return;
    }
    req.attr(KEY, scoped);
    Attempt attempt = new Attempt(scoped, res, next);
    if (req.mayBlock() || Fingerprint.files(req).isEmpty()) {
      attempt.begin();
    } else {
      SocketThreads.execute(attempt::beginElsewhere); // an event loop must not read files
    }
  }

  /** Returns the key of one client; null if the client cannot be identified. */
  private @Nullable String scoped(Request req, String given) {
    String who = client == null ? ClientIdentity.of(req) : client.apply(req);
    if (who == null || who.isEmpty()) {
      return anonymous ? Fingerprint.of("anonymous", given) : null;
    }
    return Fingerprint.of("client", who, given);
  }

  /** A request that tries to take its key. */
  private final class Attempt {

    private final String key;
    private final Request req;
    private final Response res;
    private final Next next;
    private final String token = UUID.randomUUID().toString();
    private final long start = System.nanoTime();
    private Duration pause = FIRST_PAUSE;
    private String print = "";
    private boolean waiting;
    private volatile boolean over;
    private volatile @Nullable StoredResponse begun;

    Attempt(String key, Response res, Next next) {
      this.key = key;
      this.req = res.req();
      this.res = res;
      this.next = next;
    }

    void begin() {
      print = print.isEmpty() ? Fingerprint.of(req) : print;
      IdempotencyStore.Entry kept;
      try {
        kept = store.acquire(key, token, print, lease);
      } catch (IOException e) {
        throw failures.reject(e, res);
      }
      if (kept == null) {
        run();
      } else {
        meet(kept);
      }
    }

    private void run() {
      KeyLease held = new KeyLease(store, failures, key, token, print, lease);
      held.schedule();
      Headers before = res.headers().copy();
      res.onHeaders(() -> keep(held, before));
      res.onFinish(() -> finish(held));
      next.run();
    }

    /** Starts to store a response whose head is about to be sent, or releases the key. */
    private void keep(KeyLease held, Headers before) {
      int status = res.status();
      if (status >= 500 || status == 408 || status == 425 || status == 429) {
        held.release();
        return;
      }
      StoredResponse head = StoredResponse.head(status, res.headers(), before);
      begun = head;
      if (res.filterable()) {
        res.filter(new KeepingFilter(head, maxBodySize, text -> held.keep(text, ttl)));
      } else {
        held.keep(head.withoutBody().write(), ttl);
      }
    }

    /**
     * Ends an exchange. If the body was cut off, stores the response without it, so that nothing is
     * done twice. If the client got another response, as after a hook has failed, releases the key.
     */
    private void finish(KeyLease held) {
      StoredResponse head = begun;
      if (head != null && held.isOpen()) {
        int sent = res.sentStatus();
        boolean isReplaced = sent != 0 && sent != head.status();
        String cutOff = head.withoutBody().write();
        Runnable end = isReplaced ? held::release : () -> held.keep(cutOff, ttl);
        SocketThreads.execute(end); // this hook must not block
      }
      held.exchangeOver();
    }

    private void meet(IdempotencyStore.Entry kept) {
      if (!kept.fingerprint().equals(print)) {
        throw new HttpError(422, "this " + HEADER + " was used for another request");
      }
      String text = kept.response();
      if (text != null) {
        repeat(text);
        return;
      }
      Duration left = waitTimeout.minusNanos(System.nanoTime() - start);
      if (left.isNegative() || left.isZero()) {
        res.set("Retry-After", "1");
        throw new HttpError(409, "the request with this " + HEADER + " is still running")
            .with("retryAfter", 1);
      }
      if (!waiting) {
        waiting = true;
        res.onFinish(() -> over = true);
      }
      Duration now = pause.compareTo(left) < 0 ? pause : left;
      pause = pause.multipliedBy(2);
      req.schedule(now, this::beginElsewhere);
    }

    /** Begins on a thread of its own, or again. */
    void beginElsewhere() {
      if (over) {
        return; // the client disconnected
      }
      try {
        begin();
      } catch (RuntimeException | Error e) {
        next.fail(e);
      }
    }

    private void repeat(String text) {
      StoredResponse response;
      try {
        response = StoredResponse.read(text);
      } catch (IllegalArgumentException e) {
        throw failures.reject(new IOException("the store returned invalid data"), res);
      }
      if (!response.suits(req.get("Accept-Encoding"))) {
        throw new HttpError(
            409,
            "the request with this " + HEADER + " is complete; its response cannot be repeated");
      }
      response.give(res);
    }
  }

  private @Nullable String key(Request req) {
    String sent = req.get(HEADER);
    if (sent == null && !required) {
      return null;
    }
    // Some clients send the key in quotes, as a string of RFC 9651.
    String key = sent == null ? "" : sent.trim().replaceFirst("^\"(.*)\"$", "$1");
    boolean visible = key.chars().allMatch(c -> c > ' ' && c < 0x7F);
    if (key.isEmpty() || key.length() > LONGEST_KEY || !visible) {
      throw new HttpError(
          400, HEADER + " must have 1 to " + LONGEST_KEY + " visible ASCII characters");
    }
    return key;
  }
}
