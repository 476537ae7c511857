package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.StartCheck;
import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.ByteSize;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Does once what clients send several times: the first answer of an {@code Idempotency-Key} is
 * kept, and given again to each request with the same key, client, method, target and body. So a
 * proxy, or a client that has got no answer, may send a POST again.
 *
 * <p>It stands below the body parser. While the first request runs, others with its key get 409
 * with {@code Retry-After}; who uses the key for something else gets 422. Answers of 500 and more,
 * and 408, 425 and 429, are not kept, so that the request may be tried again; nor are cookies that
 * an answer sets. What is given again has the header {@code Idempotency-Replayed: true}. It is its
 * own options; each gives a changed copy:
 *
 * <pre>
 *   ttl       1 day                    how long an answer is kept
 *   running   1 minute                 how long a key is taken by a request that is never heard of again
 *   maxBody   64kb                     the longest body of an answer that is kept
 *   methods   POST PATCH               whose requests may have a key
 *   required  false                    whether they must have one: else 400
 *   client    Authorization, session   tells clients apart, so that none sees the answer of another
 * </pre>
 *
 * <p>A server that dies while it runs a request has perhaps done what was asked for, and perhaps
 * not. What must not be done twice even then is stored together with its key, {@link #KEY}, in one
 * transaction.
 *
 * <pre>{@code
 * app.post("/orders", BodyParsers.json(), Idempotency.of(MemoryAnswers.of()), Orders::add);
 * }</pre>
 */
@CheckReturnValue
public final class Idempotency extends Copyable<Idempotency> implements Middleware, StartCheck {

  /** The key of a request that has one, as its client has sent it. */
  public static final Key<String> KEY = Key.of("idempotency key", String.class);

  private static final String HEADER = "Idempotency-Key";
  private static final int LONGEST_KEY = 255;

  private final IdempotencyStore store;
  private final StoreFailures failures = new StoreFailures("the store of answers");
  private Duration ttl = Duration.ofDays(1);
  private Duration running = Duration.ofMinutes(1);
  private int maxBody = 64 << 10;
  private Set<String> methods = Set.of("POST", "PATCH");
  private boolean required;
  private Function<Request, @Nullable String> client = Idempotency::credentials;

  private Idempotency(IdempotencyStore store) {
    this.store = store;
  }

  /**
   * Keeps answers in a store.
   *
   * @param store the store
   */
  public static Idempotency of(IdempotencyStore store) {
    return new Idempotency(store);
  }

  /**
   * Chooses how long an answer is kept.
   *
   * @param time a millisecond or more
   * @throws IllegalArgumentException if it is less
   */
  public Idempotency ttl(Duration time) {
    Duration checked = positive("ttl", time);
    return with(copy -> copy.ttl = checked);
  }

  /**
   * Chooses how long a key is taken by a request that is never heard of again, such as when its
   * server has died: longer than any of them takes.
   *
   * @param time a millisecond or more
   * @throws IllegalArgumentException if it is less
   */
  public Idempotency running(Duration time) {
    Duration checked = positive("running", time);
    return with(copy -> copy.running = checked);
  }

  /**
   * Chooses the longest body of an answer that is kept. Of a longer one is kept only that there was
   * one: who repeats its request gets 409, and nothing is done twice.
   *
   * @param size such as {@code 64kb}
   * @throws IllegalArgumentException if it is no size, or more than 16 MiB
   */
  public Idempotency maxBody(String size) {
    long bytes = ByteSize.bytes("maxBody", size);
    if (bytes > 16 << 20) {
      throw Options.wrong("maxBody", size, "more than 16mb");
    }
    return with(copy -> copy.maxBody = (int) bytes);
  }

  /**
   * Chooses the methods whose requests may have a key; that of others is not looked at.
   *
   * @param methods their names, in any letter case
   */
  public Idempotency methods(String... methods) {
    Set<String> upper = new TreeSet<>();
    for (String method : methods) {
      upper.add(method.toUpperCase(Locale.ROOT));
    }
    return with(copy -> copy.methods = Set.copyOf(upper));
  }

  /**
   * Chooses whether requests of these methods must have a key.
   *
   * @param required true to answer 400 to those without
   */
  public Idempotency required(boolean required) {
    return with(copy -> copy.required = required);
  }

  /**
   * Chooses what tells clients apart, such as the name of the user: the key of one is never that of
   * another.
   *
   * @param client gives what only this client can have; null or empty for those that cannot be told
   *     apart, who can get each other's answers if they know the key and what was sent
   */
  public Idempotency client(Function<Request, @Nullable String> client) {
    return with(copy -> copy.client = client);
  }

  @Override
  public void checkStart() {
    // Without a server there is nothing to check.
  }

  @Override
  public void checkStart(ListenOptions options) {
    StoreFailures.checkWaits(store.waits(), store, "Idempotency", options);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    String given = methods.contains(req.method()) ? key(req) : null;
    if (given == null) {
      next.run();
      return;
    }
    req.attr(KEY, given);
    String who = client.apply(req);
    String key = Fingerprint.of(who == null ? "" : who, given);
    String print = Fingerprint.of(req);
    String token = UUID.randomUUID().toString();
    IdempotencyStore.Kept kept = begin(key, token, print, res);
    if (kept == null) {
      res.onHeaders(() -> keep(res, new Attempt(key, token)));
      next.run();
    } else {
      repeat(kept, print, res);
    }
  }

  /** A request that has its key. */
  private record Attempt(String key, String token) {}

  private IdempotencyStore.@Nullable Kept begin(
      String key, String token, String print, Response res) {
    try {
      return store.begin(key, token, print, running);
    } catch (IOException e) {
      throw failures.refuse(e, res);
    }
  }

  private void repeat(IdempotencyStore.Kept kept, String print, Response res) {
    if (!kept.fingerprint().equals(print)) {
      throw new HttpError(422, "this " + HEADER + " was used for another request");
    }
    String text = kept.answer();
    if (text == null) {
      res.set("Retry-After", "1");
      throw new HttpError(409, "the request with this " + HEADER + " is not through")
          .with("retryAfter", 1);
    }
    KeptAnswer answer;
    try {
      answer = KeptAnswer.read(text);
    } catch (IllegalArgumentException e) {
      throw failures.refuse(new IOException("it has given what is no answer"), res);
    }
    if (answer.tooLong()) {
      throw new HttpError(409, "the request with this " + HEADER + " is through, and was answered");
    }
    answer.give(res);
  }

  /** Begins to keep an answer whose head is about to go out, or gives the key back. */
  private void keep(Response res, Attempt attempt) {
    int status = res.status();
    if (status >= 500 || status == 408 || status == 425 || status == 429) {
      release(attempt);
      return;
    }
    KeptAnswer head = KeptAnswer.head(status, res.headers());
    res.filter(new KeepingFilter(head, maxBody, text -> keep(attempt, text)));
  }

  private void keep(Attempt attempt, String answer) {
    try {
      boolean ignored = store.keep(attempt.key(), attempt.token(), answer, ttl);
    } catch (IOException e) {
      failures.note(e); // what was asked for is done, and its client is to know
    }
  }

  private void release(Attempt attempt) {
    try {
      store.release(attempt.key(), attempt.token());
    } catch (IOException e) {
      failures.note(e); // it becomes free by itself
    }
  }

  private @Nullable String key(Request req) {
    String sent = req.get(HEADER);
    if (sent == null && !required) {
      return null;
    }
    String key = sent == null ? "" : unquoted(sent.trim());
    boolean visible = key.chars().allMatch(c -> c > ' ' && c < 0x7F);
    if (key.isEmpty() || key.length() > LONGEST_KEY || !visible) {
      throw new HttpError(
          400, HEADER + ": 1 to " + LONGEST_KEY + " visible characters are expected");
    }
    return key;
  }

  /** Some clients send it between quotes, as a string of RFC 9651. */
  private static String unquoted(String text) {
    boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }

  /** Returns by what a client shows who it is: its credentials, or a session that is stored. */
  private static @Nullable String credentials(Request req) {
    String authorization = req.get("Authorization");
    if (authorization != null) {
      return "authorization " + authorization;
    }
    return req.attrOrNull(CookieSession.SESSION) instanceof Session session && session.isKept()
        ? "session " + session.id()
        : null;
  }

  private static Duration positive(String option, Duration time) {
    if (time.toMillis() < 1) {
      throw new IllegalArgumentException(option + "(" + time + "): less than a millisecond");
    }
    return time;
  }
}
