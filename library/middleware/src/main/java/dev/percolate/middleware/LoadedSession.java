package dev.percolate.middleware;

import dev.percolate.core.Settings;
import dev.percolate.core.store.SessionStore;
import dev.percolate.http.CookieOptions;
import dev.percolate.middleware.session.SessionValues;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The state of a session after it was loaded or created in a request. */
final class LoadedSession {

  final String id;
  final SessionValues values;
  SessionCookie cookie;
  SessionStore.@Nullable Owner owner;
  boolean ownerChanged;

  /** The last known entry of the store; null if the session is not stored yet. */
  SessionStore.@Nullable Entry entry;

  /** Creates the state of a new session. */
  LoadedSession(String id, Settings settings, CookieOptions options) {
    this.id = id;
    this.values = new SessionValues(SessionValues.NOTHING, settings);
    this.cookie = new SessionCookie(options);
  }

  /**
   * Creates the state of a stored session.
   *
   * @throws IllegalArgumentException if the stored session is invalid JSON
   */
  LoadedSession(String id, Settings settings, CookieOptions options, SessionStore.Entry entry) {
    SessionStore.SessionData session = entry.session();
    this.id = id;
    this.values = new SessionValues(session.json(), settings);
    this.cookie = new SessionCookie(options, session);
    this.owner = session.owner();
    this.entry = entry;
    Map<String, Object> ignored = values.seen(); // only to reject invalid JSON early
  }

  /**
   * Returns the session to store, with the changes of this request merged into the current entry.
   */
  SessionStore.SessionData onto(SessionStore.Entry now) {
    SessionStore.SessionData session = now.session();
    String json = values.onto(session.json(), values.json());
    return cookie.onto(session, json, ownerChanged ? owner : session.owner());
  }
}
