package dev.percolate.core.store;

import dev.percolate.http.Hash;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores sessions by id, for {@code Sessions} of the module {@code middleware}. {@code
 * MemorySessions} of that module stores them in memory.
 *
 * <p>A store must be thread-safe. A shared store must also support several processes. Each state of
 * a session has a version. A change names the version that it is based on, so concurrent changes
 * are not lost. An {@link IOException} means that the store is unavailable or has returned invalid
 * data. Its message and those of its causes may be logged, so they must not contain ids, values or
 * passwords.
 *
 * <p>{@code SessionStoreContract} of the module {@code testkit} tests all of this.
 */
public interface SessionStore {

  /** The default time for which a store keeps unused sessions without an expiry time. */
  Duration DEFAULT_IDLE_TIMEOUT = Duration.ofDays(1);

  /** The time for which a store remembers ended sessions; see {@link #end}. */
  Duration ENDED_RETENTION = Duration.ofMinutes(10);

  /**
   * A session to be stored.
   *
   * @param json the content, a JSON object
   * @param expires when the session expires; null for {@link #idleTimeout} after it was last stored
   *     or touched
   * @param maxAge the lifetime that each touch restarts, in milliseconds; null for none
   * @param cookie the attributes of the cookie that handlers have changed, a JSON object; null for
   *     none
   * @param owner the owner of the session, for {@link #list} and {@link #removeAll}; null for none
   */
  record SessionData(
      String json,
      @Nullable Instant expires,
      @Nullable Long maxAge,
      @Nullable String cookie,
      @Nullable Owner owner) {

    /** Creates a session with the default attributes of the cookie, and without an owner. */
    public SessionData(String json, @Nullable Instant expires, @Nullable Long maxAge) {
      this(json, expires, maxAge, null, null);
    }

    /** Returns a copy with another expiry time. */
    public SessionData withExpires(@Nullable Instant end) {
      return new SessionData(json, end, maxAge, cookie, owner);
    }
  }

  /**
   * The owner of a session.
   *
   * @param name the name or id of the user
   * @param since when the session got this owner, in milliseconds: usually its creation at a login
   * @param userAgent the {@code User-Agent} of the request that set the owner, at most 255
   *     characters; null if it sent none
   */
  record Owner(String name, Instant since, @Nullable String userAgent) {

    /** Creates an owner without a user agent. */
    public Owner(String name, Instant since) {
      this(name, since, null);
    }
  }

  /**
   * A session of an owner, without its id and its content.
   *
   * @param handle identifies the session; see {@link #handle}
   * @param created when the session got its owner; see {@link Owner#since}
   * @param lastUsed when the session was last stored or touched
   * @param userAgent see {@link Owner#userAgent}; null if it is unknown
   */
  record OwnedSession(
      String handle, Instant created, Instant lastUsed, @Nullable String userAgent) {}

  /**
   * A state of a session in the store.
   *
   * @param session the session
   * @param version identifies this state among all states of the session; touching does not change
   *     it
   * @param touched when the session was last stored or touched
   */
  record Entry(SessionData session, long version, Instant touched) {}

  /**
   * The result of a change.
   *
   * @param replaced whether the change was stored
   * @param current the current state: the change itself, a concurrent change, or null if the
   *     session no longer exists
   */
  record ReplaceResult(boolean replaced, @Nullable Entry current) {}

  /**
   * Returns a session.
   *
   * @param id the id, possibly of a session that no longer exists
   * @return the session; null if it does not exist or has expired
   * @throws IOException if the store fails
   */
  @Nullable Entry load(String id) throws IOException;

  /**
   * Stores a new session.
   *
   * @param id the id
   * @param session the session
   * @return the stored state
   * @throws IOException if the store fails
   */
  Entry create(String id, SessionData session) throws IOException;

  /**
   * Atomically replaces a state of a session that the caller has seen. Does nothing if the session
   * now has another state or was removed. So a slow request neither undoes other changes, nor
   * restores a session after logout.
   *
   * @param id the id
   * @param session the session
   * @param version the version of the state that the change is based on
   * @return whether the change was stored, and the current state
   * @throws IOException if the store fails; the change may still have been stored
   */
  ReplaceResult replace(String id, SessionData session, long version) throws IOException;

  /**
   * Restarts the lifetime of a session. Changes nothing else, including its version.
   *
   * @param id the id
   * @param session the session as this request has seen it, with its new expiry time. If possible,
   *     a store uses its own {@link SessionData#maxAge}, which another request may have changed
   * @return whether the session exists
   * @throws IOException if the store fails
   */
  boolean touch(String id, SessionData session) throws IOException;

  /**
   * Removes a session, if it exists.
   *
   * @param id the id
   * @throws IOException if the store fails
   */
  void remove(String id) throws IOException;

  /**
   * Removes a session that a login or logout ends, and remembers it for {@link #ENDED_RETENTION}. A
   * request that began before a given time, and still names this session, must not replace the
   * cookie of the login.
   *
   * <p>The default implementation remembers it only in this process. A store that several processes
   * share must store it.
   *
   * @param id the id; the session need not exist
   * @param until the time before which such requests began
   * @throws IOException if the store fails
   */
  default void end(String id, Instant until) throws IOException {
    remove(id);
    EndedSessions.of(this).add(id, until, ENDED_RETENTION);
  }

  /**
   * Returns the time that was passed to {@link #end}.
   *
   * @param id the id of a session
   * @return the latest time; null if the session was not ended, or is no longer remembered
   * @throws IOException if the store fails
   */
  default @Nullable Instant endedAt(String id) throws IOException {
    return EndedSessions.of(this).until(id);
  }

  /**
   * Removes all sessions of an owner that exist at the time of the call. A session that is created
   * in the meantime is removed too, or found by the next call.
   *
   * @param owner as in {@link Owner#name}
   * @throws IOException if the store fails; some sessions may remain
   */
  void removeAll(String owner) throws IOException;

  /**
   * Returns the sessions of an owner, most recently used first. A store may return only 1,000.
   *
   * @param owner as in {@link Owner#name}
   * @throws IOException if the store fails
   */
  List<OwnedSession> list(String owner) throws IOException;

  /**
   * Removes one session of an owner.
   *
   * @param owner as in {@link Owner#name}
   * @param handle as in {@link OwnedSession#handle}; may come from a client
   * @return false if the owner has no session with this handle; then nothing is removed
   * @throws IOException if the store fails
   */
  boolean removeOwned(String owner, String handle) throws IOException;

  /**
   * Returns the handle of a session: the SHA-256 hash of its id, 43 characters in base64url. A page
   * may contain it, since the id cannot be computed from it.
   *
   * @param id the id of a session
   */
  static String handle(String id) {
    return Hash.sha256(id);
  }

  /** Returns the time for which unused sessions without an expiry time are kept. */
  default Duration idleTimeout() {
    return DEFAULT_IDLE_TIMEOUT;
  }

  /**
   * Returns true if its methods may block the calling thread, for example for a network. Such a
   * store cannot be used on event loops.
   */
  default boolean isBlocking() {
    return true;
  }
}
