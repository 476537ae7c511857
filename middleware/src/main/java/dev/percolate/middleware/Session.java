package dev.percolate.middleware;

import dev.percolate.core.JsonCodec;
import java.io.IOException;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds what is remembered of one visitor: a map of values that fit JSON; see {@link Sessions}.
 *
 * <p>Each request has a copy of its own, to be used by its steps. After a login, {@link
 * #regenerate} it: a session that somebody else has planted then stays without rights.
 */
public final class Session extends AbstractMap<String, Object> {

  private final SessionVisit visit;
  private final String id;
  private final Map<String, Object> values = new LinkedHashMap<>();
  private SessionCookie cookie;
  private boolean stored;
  private boolean gone;

  // The JSON that the store has, if it was this request that put it there.
  private @Nullable String saved;

  /** Makes a new session. */
  Session(SessionVisit visit, String id) {
    this.visit = visit;
    this.id = id;
    this.cookie = new SessionCookie(visit.options());
  }

  /** Makes a copy of a stored session. */
  Session(SessionVisit visit, String id, SessionStore.Stored session) {
    this.visit = visit;
    this.id = id;
    this.cookie = new SessionCookie(visit.options(), session);
    this.stored = true;
    read(session.json());
  }

  /** Gives the id, a secret of server and browser. */
  public String id() {
    return id;
  }

  /** Gives the cookie, of which the life may be changed. */
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
      throw new IllegalStateException("failed to load session");
    }
    values.clear();
    read(session.json());
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
    String json = json();
    Double maxAge = cookie.originalMaxAge();
    SessionStore.Stored session =
        new SessionStore.Stored(json, cookie.expires(), maxAge == null ? null : Math.round(maxAge));
    if (stored) {
      gone = !visit.store().replace(id, session);
    } else {
      visit.store().create(id, session);
      stored = true;
    }
    saved = json;
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
    return values.put(name, value);
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    return values.entrySet();
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
    return "Session[" + values.keySet() + "]";
  }

  String json() {
    return JsonCodec.find().write(values, JsonCodec.Style.COMPACT);
  }

  /** Tells whether this request has stored it as it is. */
  boolean isSaved() {
    return json().equals(saved);
  }

  /** Notes that the store has it as it is. */
  void notedAsSaved() {
    saved = json();
  }

  private void read(String json) {
    if (JsonCodec.find().read(json) instanceof Map<?, ?> map) {
      map.forEach((name, value) -> values.put(String.valueOf(name), value));
    }
  }
}
