package dev.percolate.middleware;

import java.io.IOException;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Stores sessions by their ids, for {@link Sessions}; {@link MemorySessions} is one.
 *
 * <p>Any thread may use it, several at the same time. Its methods may wait, unless the server runs
 * on event loops.
 */
public interface SessionStore {

  /**
   * One session as it is stored.
   *
   * @param json what it holds, a JSON object
   * @param expires when it ends; null leaves that to the store
   * @param maxAge the life that each request begins anew, in milliseconds; null for none
   * @param cookie what handlers have changed of the cookie of this session, a JSON object; null for
   *     nothing
   */
  record Stored(
      String json, @Nullable Instant expires, @Nullable Long maxAge, @Nullable String cookie) {

    /** Creates one whose cookie has the usual attributes. */
    public Stored(String json, @Nullable Instant expires, @Nullable Long maxAge) {
      this(json, expires, maxAge, null);
    }
  }

  /**
   * Returns a session.
   *
   * @param id its id, which may be anything that a client once got
   * @return the session; null if there is none, or if it has expired
   * @throws IOException if the store fails
   */
  @Nullable Stored load(String id) throws IOException;

  /**
   * Stores a new session.
   *
   * @param id its id
   * @param session the session
   * @throws IOException if the store fails
   */
  void create(String id, Stored session) throws IOException;

  /**
   * Stores a session in the place of the same one; does nothing if that has been removed, so that a
   * slow request does not bring back who has logged out meanwhile.
   *
   * @param id its id
   * @param session the session
   * @return whether it was there
   * @throws IOException if the store fails
   */
  boolean replace(String id, Stored session) throws IOException;

  /**
   * Changes a session by what it is at this moment; does nothing if it has been removed. Several
   * requests of one visitor run at the same time, and what one has not changed must stay as the
   * others have left it. Unless a store does better, this loads the session and replaces it; a
   * change that comes between the two is lost then. A store that can makes it one step.
   *
   * @param id its id
   * @param change gives what to store in the place of what is stored; may be called more than once
   * @return whether it was there
   * @throws IOException if the store fails
   */
  default boolean change(String id, UnaryOperator<Stored> change) throws IOException {
    Stored now = load(id);
    return now != null && replace(id, change.apply(now));
  }

  /**
   * Begins the life of a session anew, and changes nothing else.
   *
   * @param id its id
   * @param expires when it ends by what this request has loaded; null leaves that to the store. A
   *     store that can goes by the {@link Stored#maxAge} that it has, which another request may
   *     have changed meanwhile, and leaves the end of a session without one
   * @return whether it was there
   * @throws IOException if the store fails
   */
  boolean touch(String id, @Nullable Instant expires) throws IOException;

  /**
   * Removes a session; does nothing if there is none.
   *
   * @param id its id
   * @throws IOException if the store fails
   */
  void remove(String id) throws IOException;
}
