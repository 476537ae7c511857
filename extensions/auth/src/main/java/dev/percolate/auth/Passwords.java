package dev.percolate.auth;

import dev.percolate.engine.Daemon;
import dev.percolate.http.ByteSize;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hashes passwords with Argon2id (RFC 9106), and verifies them.
 *
 * <pre>{@code
 * Passwords passwords = Passwords.argon2id();
 * String stored = passwords.hash(password); // $argon2id$v=19$m=19456,t=2,p=1$…
 *
 * String known = accounts.hashOf(name); // null for unknown names
 * if (!passwords.verify(password, known)) {
 *   throw new HttpError(401, "Wrong name or password");
 * }
 * if (passwords.needsRehash(known)) {
 *   accounts.hashOf(name, passwords.hash(password));
 * }
 * }</pre>
 *
 * <p>Hashes are computed on at most as many threads as half of the processors, so that a flood of
 * logins takes neither all memory nor all processors. The calling thread waits; do not call this
 * class on an event loop. If 32 calls for each thread wait already, a further call throws an {@link
 * HttpError} 503 of type {@code password.busy}. Limit the number of logins, for example with {@code
 * RateLimit}.
 *
 * <p>Options; each returns a changed copy. The defaults are those that OWASP recommends.
 *
 * <pre>
 *   memory       19mb         the memory for each hash
 *   iterations   2            the number of passes over the memory
 *   parallelism  1            the number of lanes, computed one after the other
 *   maxLength    1,024 bytes  the maximum length of passwords
 * </pre>
 */
@CheckReturnValue
public final class Passwords extends Copyable<Passwords> {

  private static final int KIB = 1024;
  private static final int FEWEST_KIBIBYTES = 7 * KIB;
  private static final int MOST_BYTES = 64 * KIB;
  private static final Duration IDLE = Duration.ofSeconds(10);

  /** The number of hashes that wait for each thread: a second or two of work. */
  private static final int MOST_WAITING = 32;

  /** Threads of the system, since the JDK does not preempt virtual threads that compute. */
  private static final ThreadPoolExecutor THREADS = threads();

  private PasswordHash.Cost cost = new PasswordHash.Cost(19 * KIB, 2, 1);
  private int maxLength = KIB;
  private volatile @Nullable String decoy;

  private Passwords() {}

  private static ThreadPoolExecutor threads() {
    int most = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    return Daemon.pool(
        "percolate-passwords", most, new ArrayBlockingQueue<>(MOST_WAITING * most), IDLE);
  }

  /** Creates a password hash function with the default parameters. */
  public static Passwords argon2id() {
    return new Passwords();
  }

  /**
   * Sets the memory for each hash. Default: {@code 19mb}.
   *
   * @param size a size from {@code 7mb} to {@code 1gb}
   * @throws IllegalArgumentException if the size is invalid
   */
  public Passwords memory(String size) {
    long kibibytes = ByteSize.bytes("memory", size) / KIB;
    if (kibibytes < FEWEST_KIBIBYTES || kibibytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("memory must be 7mb to 1gb, was \"" + size + '"');
    }
    return cost(new PasswordHash.Cost((int) kibibytes, cost.iterations(), cost.lanes()));
  }

  /**
   * Sets the number of passes over the memory. Default: 2.
   *
   * @param iterations 1 to 100
   * @throws IllegalArgumentException for other numbers
   */
  public Passwords iterations(int iterations) {
    return cost(new PasswordHash.Cost(cost.kibibytes(), iterations, cost.lanes()));
  }

  /**
   * Sets the number of lanes. They are computed one after the other, so more lanes do not save
   * time. Use it for hashes that are shared with other programs. Default: 1.
   *
   * @param lanes 1 to 16
   * @throws IllegalArgumentException for other numbers
   */
  public Passwords parallelism(int lanes) {
    return cost(new PasswordHash.Cost(cost.kibibytes(), cost.iterations(), lanes));
  }

  private Passwords cost(PasswordHash.Cost changed) {
    return with(
        copy -> {
          copy.cost = changed;
          copy.decoy = null;
        });
  }

  /**
   * Sets the maximum length of passwords in bytes of UTF-8. Default: 1,024.
   *
   * @param bytes 64 to 65,536
   * @throws IllegalArgumentException for other lengths
   */
  public Passwords maxLength(int bytes) {
    PasswordHash.Cost.check("maxLength", bytes, 64, MOST_BYTES);
    return with(copy -> copy.maxLength = bytes);
  }

  /**
   * Returns the hash of a password with a new salt, to be stored with its parameters.
   *
   * @param password the password
   * @throws HttpError with the status 422 if the password is empty or too long
   */
  public String hash(String password) {
    if (password.isEmpty() || isTooLong(password)) {
      throw new HttpError(
          422, "password must have 1 to " + maxLength + " bytes", "password.length", null);
    }
    byte[] bytes = bytes(password);
    return compute(() -> PasswordHash.of(bytes, cost).toString());
  }

  /**
   * Returns true if a password has a stored hash. For an unknown user it takes as long as for a
   * known one, so that the time does not reveal which names exist.
   *
   * @param password the password that the client sent; one that is too long is wrong
   * @param stored the stored hash; null if there is no such user
   * @throws IllegalArgumentException if the hash has another format
   */
  public boolean verify(String password, @Nullable String stored) {
    PasswordHash hash = PasswordHash.parse(stored == null ? decoy() : stored);
    if (isTooLong(password)) {
      return false;
    }
    byte[] bytes = bytes(password);
    boolean right = compute(() -> hash.isOf(bytes));
    return right && stored != null;
  }

  /**
   * Returns true if a hash was computed with other parameters. Hash the password again after the
   * next successful login.
   *
   * @param stored the stored hash
   * @throws IllegalArgumentException if the hash has another format
   */
  public boolean needsRehash(String stored) {
    return !PasswordHash.parse(stored).cost().equals(cost);
  }

  /** Returns the hash of a random password, with the current parameters. */
  private String decoy() {
    String known = decoy;
    if (known == null) {
      known = hash(ApiKeyAuth.newKey("decoy"));
      decoy = known;
    }
    return known;
  }

  private boolean isTooLong(String password) {
    // Compares the characters first, so that a long text is not encoded.
    return password.length() > maxLength || bytes(password).length > maxLength;
  }

  private static byte[] bytes(String password) {
    return password.getBytes(StandardCharsets.UTF_8);
  }

  private static <T> T compute(Supplier<T> hashing) {
    try {
      return CompletableFuture.supplyAsync(hashing, THREADS).join();
    } catch (RejectedExecutionException e) {
      throw new HttpError(503, "Too many passwords at once", "password.busy", e)
          .with("retryAfter", 1);
    }
  }
}
