package dev.percolate.middleware;

import dev.percolate.core.Settings;
import dev.percolate.core.store.SessionStore;
import dev.percolate.http.CookieOptions;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Holds what is known of a session once somebody has looked at it. */
final class LoadedSession {

  final String id;
  final SessionValues values;
  SessionCookie cookie;
  @Nullable String owner;
  boolean ownerChanged;

  /** The state in the store that is known; null if it is not there yet. */
  SessionStore.@Nullable Entry entry;

  /** Creates what is known of a new session. */
  LoadedSession(String id, Settings settings, CookieOptions options) {
    this.id = id;
    this.values = new SessionValues(SessionValues.NOTHING, settings);
    this.cookie = new SessionCookie(options);
  }

  /**
   * Creates what is known of a session of the store.
   *
   * @throws IllegalArgumentException if it is no JSON
   */
  LoadedSession(String id, Settings settings, CookieOptions options, SessionStore.Entry entry) {
    SessionStore.Stored session = entry.session();
    this.id = id;
    this.values = new SessionValues(session.json(), settings);
    this.cookie = new SessionCookie(options, session);
    this.owner = session.owner();
    this.entry = entry;
    Map<String, Object> ignored = values.seen(); // now, while it can still be refused
  }

  /** Returns what is to be stored in the place of what is there now. */
  SessionStore.Stored onto(SessionStore.Entry now) {
    SessionStore.Stored session = now.session();
    String json = values.onto(session.json(), values.json());
    return cookie.onto(session, json, ownerChanged ? owner : session.owner());
  }
}
