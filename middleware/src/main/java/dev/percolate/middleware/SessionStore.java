package dev.percolate.middleware;

import java.io.IOException;
import java.time.Instant;
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
   */
  record Stored(String json, @Nullable Instant expires, @Nullable Long maxAge) {}

  /**
   * Gives a session.
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
   * Prolongs the life of a session, and changes nothing else.
   *
   * @param id its id
   * @param expires when it ends; null leaves that to the store
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
