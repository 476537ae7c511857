package dev.percolate.middleware;

import java.io.IOException;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds what is remembered of one visitor: a map of values that fit JSON; see {@link Sessions}.
 *
 * <p>Each request has a copy of its own, to be used by its steps. What it changes is stored by
 * name, on top of what other requests of this visitor have stored meanwhile: a name that it has
 * only read stays as they have left it, and one that they have removed stays removed. After a
 * login, {@link #regenerate} it: a session that somebody else has planted then stays without
 * rights.
 */
public final class Session extends AbstractMap<String, Object> {

  private final SessionVisit visit;
  private final String id;
  private final SessionValues values;
  private SessionCookie cookie;
  private boolean stored;
  private boolean savedHere;
  private boolean savedChanges;
  private boolean savedCookie;
  private boolean gone;

  /** Creates a new session. */
  Session(SessionVisit visit, String id) {
    this.visit = visit;
    this.id = id;
    this.values = new SessionValues(SessionValues.NOTHING);
    this.cookie = new SessionCookie(visit.options());
  }

  /** Creates a copy of a stored session. */
  Session(SessionVisit visit, String id, SessionStore.Stored session) {
    this.visit = visit;
    this.id = id;
    this.values = new SessionValues(session.json());
    this.cookie = new SessionCookie(visit.options(), session);
    this.stored = true;
  }

  /** Returns the id, a secret of server and browser. */
  public String id() {
    return id;
  }

  /** Returns the cookie, of which life and attributes may be changed. */
  public SessionCookie cookie() {
    return cookie;
  }

  /**
   * Ends this session: it is removed from the store and from the request.
   *
   * @throws IOException if the store fails
   */
  public void destroy() throws IOException {
    gone = true;
    visit.show(null);
    visit.store().remove(id);
  }

  /**
   * Ends this session and begins an empty one with another id.
   *
   * @return the new session, which is that of the request from now on
   * @throws IOException if the store fails
   */
  public Session regenerate() throws IOException {
    destroy();
    Session fresh = visit.generate();
    visit.show(fresh);
    return fresh;
  }

  /**
   * Reads this session from the store again, in the place of what was changed here.
   *
   * @return this session
   * @throws IOException if the store fails
   * @throws IllegalStateException if it is not there any more
   */
  public Session reload() throws IOException {
    SessionStore.Stored session = visit.store().load(id);
    if (session == null) {
      throw new IllegalStateException("reload(): the session is not in its store any more");
    }
    values.replace(session.json());
    cookie = new SessionCookie(visit.options(), session);
    return this;
  }

  /**
   * Stores this session now, instead of at the end of the answer. One that was removed from the
   * store meanwhile stays removed.
   *
   * @return this session
   * @throws IOException if the store fails
   */
  public Session save() throws IOException {
    if (gone) {
      return this;
    }
    String json = values.json();
    savedChanges = savedChanges || isChanged();
    savedCookie = savedCookie || cookie.isChanged();
    if (stored) {
      gone = !visit.store().change(id, now -> cookie.onto(now, values.onto(now.json(), json)));
    } else {
      visit.store().create(id, cookie.with(json));
      stored = true;
    }
    values.give(json);
    cookie.stored();
    savedHere = true;
    return this;
  }

  /**
   * Begins the life of this session anew; each request does so at its end.
   *
   * @return this session
   */
  public Session touch() {
    cookie.touch();
    return this;
  }

  /**
   * Sets a value.
   *
   * @param name its name
   * @param value a value that fits JSON
   * @return the value that stood there before, or null
   */
  @Override
  public @Nullable Object put(String name, Object value) {
    return values.seen().put(name, value);
  }

  @Override
  public @Nullable Object get(@Nullable Object name) {
    return values.seen().get(name);
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return values.seen().containsKey(name);
  }

  @Override
  public @Nullable Object remove(@Nullable Object name) {
    return values.seen().remove(name);
  }

  @Override
  public boolean isEmpty() {
    return values.isEmpty();
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    return values.seen().entrySet();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  /** Says that it is one; what it holds, and its id, do not belong into logs. */
  @Override
  public String toString() {
    return "Session[" + keySet() + "]";
  }

  /** Tells whether the store has it, as far as this request knows. */
  boolean isStored() {
    return stored;
  }

  /** Tells whether this request has stored it. */
  boolean isSavedHere() {
    return savedHere;
  }

  /** Tells whether this request has changed it since it was loaded, or stored last. */
  boolean isChanged() {
    return values.isChanged() || cookie.isChanged();
  }

  /**
   * Tells whether the browser is to know that it has changed: always if the cookie has; else if
   * anything has, and its life thus begins anew.
   */
  boolean needsCookie() {
    return savedCookie
        || cookie.isChanged()
        || (cookie.expires() != null && (savedChanges || isChanged()));
  }

  /** Tells whether the visitor comes back with it: it is stored, or will be. */
  boolean isKept() {
    return visit.keeps(this);
  }
}
