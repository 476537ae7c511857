package dev.percolate.core.store;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Stores sessions by their ids, for {@code Sessions} of the module {@code middleware}, whose {@code
 * MemorySessions} is one.
 *
 * <p>Any thread may use it, several at the same time, and several processes if it is one that they
 * share. Each state of a session has a version: whoever changes one says which it has seen, so that
 * no change of others is lost. An {@link IOException} says that the store is away, or does not make
 * sense; its message and those of its causes may be logged, so they contain no id, value or
 * password.
 *
 * <p>{@code SessionStoreContract} of the module {@code testkit} has all of this as tests.
 */
public interface SessionStore {

  /** How long a store keeps sessions without an end of their own, unless it is told otherwise. */
  Duration USUAL_IDLE = Duration.ofDays(1);

  /** How long a store remembers which sessions were ended; see {@link #end}. */
  Duration REMEMBERED = Duration.ofMinutes(10);

  /**
   * One session as it is to be stored.
   *
   * @param json what it holds, a JSON object
   * @param expires when it ends; null for {@link #idle} after it was last stored or touched
   * @param maxAge the life that each touch begins anew, in milliseconds; null for none
   * @param cookie what handlers have changed of the cookie of this session, a JSON object; null for
   *     nothing
   * @param owner whose session it is, as {@link #removeAll} finds it; null for nobody's
   */
  record Stored(
      String json,
      @Nullable Instant expires,
      @Nullable Long maxAge,
      @Nullable String cookie,
      @Nullable String owner) {

    /** Creates one whose cookie has the usual attributes, and that is nobody's. */
    public Stored(String json, @Nullable Instant expires, @Nullable Long maxAge) {
      this(json, expires, maxAge, null, null);
    }

    /** Returns the same with another end. */
    public Stored until(@Nullable Instant end) {
      return new Stored(json, end, maxAge, cookie, owner);
    }
  }

  /**
   * One state of a session in the store.
   *
   * @param session the session
   * @param version names this state among all that the session has ever had; touching changes it
   *     not
   * @param touched when it was last stored or touched
   */
  record Entry(Stored session, long version, Instant touched) {}

  /**
   * What became of a change.
   *
   * @param done whether it is stored
   * @param current what is stored now: the change itself; what another one has stored meanwhile; or
   *     null if the session is not there any more
   */
  record Replaced(boolean done, @Nullable Entry current) {}

  /**
   * Returns a session.
   *
   * @param id its id, which may be anything that a client once got
   * @return the session; null if there is none, or if it has expired
   * @throws IOException if the store fails
   */
  @Nullable Entry load(String id) throws IOException;

  /**
   * Stores a new session.
   *
   * @param id its id
   * @param session the session
   * @return what is stored now
   * @throws IOException if the store fails
   */
  Entry create(String id, Stored session) throws IOException;

  /**
   * Stores a session in the place of a state of it that the caller has seen, in one step. Does
   * nothing if it has another state by now, or has been removed: so a slow request neither undoes
   * what others have done, nor brings back who has logged out meanwhile.
   *
   * @param id its id
   * @param session the session
   * @param version the version of the state that it comes from
   * @return whether that was done, and what is stored now
   * @throws IOException if the store fails; it may have been done nevertheless
   */
  Replaced replace(String id, Stored session, long version) throws IOException;

  /**
   * Begins the life of a session anew, and changes nothing else, nor its version.
   *
   * @param id its id
   * @param session the session as this request has seen it, with its new end. A store that can goes
   *     by the {@link Stored#maxAge} that it has, which another request may have changed meanwhile
   * @return whether it was there
   * @throws IOException if the store fails
   */
  boolean touch(String id, Stored session) throws IOException;

  /**
   * Removes a session; does nothing if there is none.
   *
   * @param id its id
   * @throws IOException if the store fails
   */
  void remove(String id) throws IOException;

  /**
   * Removes a session that a login or a logout ends, and remembers it for {@link #REMEMBERED}: a
   * request that began before a given time, and still names this session, must not replace the
   * cookie of the login.
   *
   * <p>The default remembers in this process only. A store that several processes share stores it.
   *
   * @param id its id; there need not be such a session any more
   * @param until the time before which such requests began
   * @throws IOException if the store fails
   */
  default void end(String id, Instant until) throws IOException {
    remove(id);
    EndedSessions.of(this).add(id, until, REMEMBERED);
  }

  /**
   * Returns what {@link #end} was told.
   *
   * @param id the id of a session
   * @return the last time given for it; null if it was not ended, or if that is forgotten
   * @throws IOException if the store fails
   */
  default @Nullable Instant ended(String id) throws IOException {
    return EndedSessions.of(this).until(id);
  }

  /**
   * Removes all sessions of an owner that exist when it is called. A session that begins meanwhile
   * is removed too, or found by the next call.
   *
   * @param owner as in {@link Stored#owner}
   * @throws IOException if the store fails; some may be left
   */
  void removeAll(String owner) throws IOException;

  /** Returns how long sessions without an end of their own are kept without use. */
  default Duration idle() {
    return USUAL_IDLE;
  }

  /**
   * Tells whether its methods may make their thread wait, such as for a network. One that does
   * cannot be used on event loops.
   */
  default boolean waits() {
    return true;
  }
}
