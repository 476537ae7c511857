package dev.percolate.middleware;

import dev.percolate.core.Settings;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

  /** Where messages wait that are to be shown once. */
  private static final String FLASHES = "flashes";

  private static final System.Logger LOG = System.getLogger("dev.percolate.middleware");
  private static final int MOST_TOLD = 100;

  /** Warnings that this process has given. */
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

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
    this.values = new SessionValues(SessionValues.NOTHING, visit.settings());
    this.cookie = new SessionCookie(visit.options());
  }

  /** Creates a copy of a stored session. */
  Session(SessionVisit visit, String id, SessionStore.Stored session) {
    this.visit = visit;
    this.id = id;
    this.values = new SessionValues(session.json(), visit.settings());
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
    SessionEnds.ended(id);
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
   * Sets a value. In development a warning tells once of each that later requests do not see as it
   * was put, such as a record; they {@linkplain #get(String, Class) ask for its type}.
   *
   * @param name its name
   * @param value a value that fits JSON
   * @return the value that stood there before, or null
   */
  @Override
  public @Nullable Object put(String name, Object value) {
    if (Settings.processEnv().equals("development")) {
      String loss = values.loss(name, value);
      if (loss != null && TOLD.size() < MOST_TOLD && TOLD.add(loss)) {
        LOG.log(Level.WARNING, loss);
      }
    }
    return values.seen().put(name, value);
  }

  @Override
  public @Nullable Object get(@Nullable Object name) {
    return values.seen().get(name);
  }

  /**
   * Returns a value as the type that it had when it was put, which a later request sees as JSON
   * gives it back: a record as a map, a time as a text. What is given may be a copy: after a change
   * {@link #put} it again.
   *
   * <pre>{@code
   * User user = session.get("user", User.class);
   * }</pre>
   *
   * @param name its name
   * @param type a record, bean, enum, time or the like
   * @param <T> the type
   * @return the value; null if there is none of that name
   * @throws IllegalStateException if what is stored does not fit the type, as after a change of the
   *     class
   */
  public <T> @Nullable T get(String name, Class<T> type) {
    return values.get(name, type);
  }

  /**
   * Adds a message for the page that this visitor sees next, such as after a redirect; {@link
   * #flashes} shows it once.
   *
   * @param message the message
   * @return this session
   */
  public Session flash(String message) {
    List<Object> all = new ArrayList<>(flashed());
    all.add(message);
    put(FLASHES, all);
    return this;
  }

  /** Returns the messages of {@link #flash} in their order, and forgets them. */
  public List<String> flashes() {
    List<String> all = flashed().stream().map(String::valueOf).toList();
    remove(FLASHES);
    return all;
  }

  private List<?> flashed() {
    return get(FLASHES) instanceof List<?> all ? all : List.of();
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

  /** Tells whether its store still has it, or does not tell. */
  boolean isThere() {
    try {
      return visit.store().load(id) != null;
    } catch (IOException e) {
      return true;
    }
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
