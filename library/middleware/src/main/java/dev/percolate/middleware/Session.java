package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.StoreUnavailableException;
import dev.percolate.middleware.session.SessionEndHooks;
import dev.percolate.middleware.session.SessionValues;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The session of a visitor: named values that can be written as JSON, see {@link Sessions}.
 *
 * <p>Each request has its own copy. The first call of a method marked "Loads the session" loads it
 * from the store. Only values that the request has changed are stored; the others stay as other
 * requests of the visitor have stored them. Use {@link #update} for changes that depend on stored
 * values, such as counters. Call {@link #regenerate} after a login, to prevent session fixation.
 *
 * <p>If the store fails, methods that load, store or remove the session throw {@link
 * StoreUnavailableException}, which results in a 503 unless an error handler handles it. A request
 * that only reads a session succeeds if the store cannot extend it; the failure is logged.
 */
public final class Session {

  /** The attribute that holds a session, or the map of a {@link CookieSession}. */
  static final Key<Object> ATTRIBUTE = Key.of("session", Object.class);

  /** The name of the value that holds flash messages. */
  private static final String FLASHES = "flashes";

  private static final int LONGEST_OWNER = 255;

  private final SessionVisit visit;
  private final List<String> sentIds;
  private @Nullable LoadedSession loaded;
  private boolean anonymous;
  private boolean savedHere;
  private boolean savedChanges;
  private boolean savedCookie;
  private boolean gone;

  /**
   * Creates the session of a request, which is loaded on first access.
   *
   * @param sentIds the ids that the client sent; the first that exists in the store is used
   */
  Session(SessionVisit visit, List<String> sentIds) {
    this.visit = visit;
    this.sentIds = sentIds;
  }

  private LoadedSession look() {
    if (loaded == null) {
      loaded = load();
    }
    return loaded;
  }

  private LoadedSession load() {
    try {
      for (String id : sentIds) {
        SessionStore.Entry entry = visit.load(id);
        if (entry != null) {
          return stored(id, entry);
        }
      }
    } catch (IOException e) {
      anonymous = true;
    }
    return new LoadedSession(visit.newId(), visit.settings(), visit.options());
  }

  private LoadedSession stored(String id, SessionStore.Entry entry) {
    try {
      return new LoadedSession(id, visit.settings(), visit.options(), entry);
    } catch (IllegalArgumentException e) {
      throw visit.reject(new IOException("session store returned invalid JSON"));
    }
  }

  /** Returns the id, a secret shared by the server and the browser. Loads the session. */
  public String id() {
    return look().id;
  }

  /**
   * Returns the cookie. Change it to change the lifetime or the attributes of this session. Loads
   * the session.
   */
  public SessionCookie cookie() {
    return look().cookie;
  }

  /** Returns the owner of this session; null if none was set. Loads the session. */
  public @Nullable String owner() {
    SessionStore.Owner owner = look().owner;
    return owner == null ? null : owner.name();
  }

  /**
   * Sets the owner of this session, for example at a login. {@link #owned} lists and ends all
   * sessions of an owner. Stores the time and the {@code User-Agent} of this request. Loads the
   * session.
   *
   * @param user the name or id of the user, 1 to 255 characters; null for no owner
   * @return this session
   * @throws IllegalArgumentException if the name is empty or too long
   */
  public Session owner(@Nullable String user) {
    if (user != null && (user.isEmpty() || user.length() > LONGEST_OWNER)) {
      throw new IllegalArgumentException(
          "owner must have 1 to " + LONGEST_OWNER + " characters, had " + user.length());
    }
    if (!Objects.equals(owner(), user)) {
      LoadedSession here = look();
      here.ownerChanged = true;
      here.owner = user == null ? null : visit.owner(user);
    }
    return this;
  }

  /** Ends this session, and all others that the browser sent. The request has no session then. */
  public void destroy() {
    destroy(Duration.ZERO);
  }

  private void destroy(Duration overlap) {
    gone = true;
    visit.show(null);
    end(overlap);
  }

  /** Returns the sessions of this session's {@linkplain #owner owner}, to list and end them. */
  public OwnedSessions owned() {
    return new OwnedSessions(this, visit);
  }

  /**
   * Removes this session from the store, and all others that the client sent, since the next
   * request would find them. Other requests with these ids that arrived earlier, or arrive during
   * the overlap, do not replace the cookie of a new session.
   */
  void end(Duration overlap) {
    LoadedSession here = loaded;
    Set<String> ids = new LinkedHashSet<>(sentIds);
    if (here != null && here.entry != null) {
      ids.add(here.id);
    }
    ids.forEach(id -> visit.end(id, overlap));
    if (here != null) {
      ids.add(here.id);
    }
    ids.forEach(id -> SessionEndHooks.ended(SessionStore.handle(id)));
  }

  /**
   * Ends this session and starts an empty one with a new id. Other requests that the browser sent
   * before it received the new cookie do not replace that cookie, see {@link Sessions#OVERLAP}.
   * Removes this session from the store.
   *
   * @return the new session, which replaces this one on the request
   */
  public Session regenerate() {
    destroy(visit.overlap());
    Session fresh = new Session(visit, List.of());
    visit.renew(fresh);
    return fresh;
  }

  /**
   * Loads this session from the store again, and discards the changes of this request.
   *
   * @return this session
   * @throws IllegalStateException if the session is no longer in the store
   */
  public Session reload() {
    LoadedSession here = look();
    SessionStore.Entry entry =
        visit.ask(store -> Optional.ofNullable(store.load(here.id))).orElse(null);
    if (entry == null) {
      throw new IllegalStateException("reload(): the session is no longer in the store");
    }
    here.values.replace(entry.session().json());
    here.cookie = new SessionCookie(visit.options(), entry.session());
    here.owner = entry.session().owner();
    here.ownerChanged = false;
    here.entry = entry;
    return this;
  }

  /**
   * Stores this session now instead of at the end of the response. If another request has removed
   * the session meanwhile, it stays removed.
   *
   * @return this session
   */
  public Session save() {
    LoadedSession here = look();
    if (gone) {
      return this;
    }
    SessionStore.Entry now = here.entry;
    noteChanges(here);
    String json = here.values.json();
    if (now == null) {
      create(here, json);
      return this;
    }
    for (int conflicts = 0; now != null; conflicts++) {
      SessionStore.ReplaceResult replaced = replace(here.id, here.onto(now), now);
      now = replaced.current();
      if (replaced.replaced()) {
        break;
      }
      visit.pauseAfter(conflicts);
    }
    saved(here, json, now);
    return this;
  }

  /**
   * Applies a change to this session, and stores it immediately. Use it for counters and other
   * values that depend on stored values. If another request stores the session meanwhile, the
   * change is applied again to the new values, so that no update is lost. Loads the session.
   *
   * <pre>{@code
   * int visits = session.update(s -> {
   *   int more = s.get("visits") instanceof Integer n ? n + 1 : 1;
   *   s.set("visits", more);
   *   return more;
   * });
   * }</pre>
   *
   * @param change changes its argument, which is this session. It may be called several times, so
   *     it must not have other effects. Earlier changes of this request are kept
   * @param <T> the type of the result
   * @return the result of the last call; the session may have been removed meanwhile
   */
  public <T extends @Nullable Object> T update(Function<? super Session, T> change) {
    LoadedSession here = look();
    SessionStore.Entry now = here.entry;
    if (now == null || gone) {
      T result = change.apply(this); // no other request knows its id
      Session ignored = save();
      return result;
    }
    SessionValues.Changes before = here.values.changes();
    for (int conflicts = 0; ; conflicts++) {
      T result = change.apply(this);
      noteChanges(here);
      SessionStore.ReplaceResult replaced = replace(here.id, here.onto(now), now);
      now = replaced.current();
      if (replaced.replaced() || now == null) {
        saved(here, here.values.json(), now);
        return result;
      }
      visit.pauseAfter(conflicts);
      here.values.rebase(now.session().json(), before);
    }
  }

  private void create(LoadedSession here, String json) {
    here.entry = visit.ask(store -> store.create(here.id, here.cookie.with(json, here.owner)));
    anonymous = false;
    saved(here, json, here.entry);
  }

  private SessionStore.ReplaceResult replace(
      String id, SessionStore.SessionData session, SessionStore.Entry now) {
    return visit.ask(store -> store.replace(id, session, now.version()));
  }

  private void noteChanges(LoadedSession here) {
    savedChanges = savedChanges || isChanged();
    savedCookie = savedCookie || here.cookie.isChanged();
  }

  private void saved(LoadedSession here, String json, SessionStore.@Nullable Entry entry) {
    gone = entry == null;
    here.entry = entry == null ? here.entry : entry;
    here.values.give(json);
    here.cookie.stored();
    here.ownerChanged = false;
    savedHere = true;
  }

  /**
   * Restarts the lifetime of a stored session, unless that was done a short while ago. If the store
   * fails, for example because it is full, the failure is logged and the request continues.
   *
   * @param pause the minimum time between two restarts; null for a tenth of the lifetime
   */
  void prolong(@Nullable Duration pause, Instant now) {
    LoadedSession here = look();
    SessionStore.Entry entry = here.entry;
    if (entry == null || gone) {
      return;
    }
    SessionStore.SessionData session = entry.session();
    Long maxAge = session.maxAge();
    if (maxAge == null && session.expires() != null) {
      return; // the expiry time is fixed
    }
    Duration life = maxAge == null ? visit.idle() : Duration.ofMillis(maxAge);
    Duration least = pause == null ? life.dividedBy(10) : pause;
    if (!entry.touched().plus(least).isAfter(now)) {
      SessionStore.SessionData longer = session.withExpires(here.cookie.expires());
      visit.attempt(store -> store.touch(here.id, longer));
      here.entry = new SessionStore.Entry(longer, entry.version(), now);
    }
  }

  /**
   * Restarts the lifetime of this session. Each request that uses the session does so at its end.
   * Loads the session.
   *
   * @return this session
   */
  public Session touch() {
    look().cookie.touch();
    return this;
  }

  /**
   * Sets a value. Loads the session. In development, a warning is logged if later requests see the
   * value as another type: a record becomes a map, for example. {@link #get(String, Class)}
   * converts it back.
   *
   * @param name the name
   * @param value a value that can be written as JSON; null removes the value
   * @return this session
   */
  public Session set(String name, @Nullable Object value) {
    if (value == null) {
      return remove(name);
    }
    look().values.set(name, value);
    return this;
  }

  /**
   * Removes a value. Loads the session.
   *
   * @param name the name
   * @return this session
   */
  public Session remove(String name) {
    seen().remove(name);
    return this;
  }

  /**
   * Returns a value. In later requests it has its JSON type. Loads the session.
   *
   * @param name the name
   * @return the value; null if the name is absent
   */
  public @Nullable Object get(String name) {
    return seen().get(name);
  }

  /**
   * Returns a value converted to a type. Loads the session. Later requests otherwise see values as
   * JSON types: a record is a map, a time is a string. The result may be a copy: to change it in
   * the session, {@link #set} it again.
   *
   * <pre>{@code
   * User user = session.get("user", User.class);
   * }</pre>
   *
   * @param name the name
   * @param type the type, such as a record, bean, enum or time
   * @param <T> the type
   * @return the value; null if the name is absent
   * @throws IllegalStateException if the value cannot be converted, for example because the class
   *     has changed since it was stored, or if it is absent and the type is primitive
   */
  public <T> @Nullable T get(String name, Class<T> type) {
    return look().values.get(name, type);
  }

  /** Returns the names of the values, as a read-only view. Loads the session. */
  public Set<String> names() {
    return values().keySet();
  }

  /**
   * Returns the values by name, as a read-only view, for example to write them as JSON. Loads the
   * session.
   */
  public Map<String, Object> values() {
    return Collections.unmodifiableMap(seen());
  }

  /** Returns true if this session has no values. Loads the session. */
  public boolean isEmpty() {
    return look().values.isEmpty();
  }

  /**
   * Adds a flash message: a message for the next page that the visitor sees, for example after a
   * redirect. Loads the session.
   *
   * @param message the message
   * @return this session
   */
  public Session flash(String message) {
    List<Object> all = new ArrayList<>(flashed());
    all.add(message);
    return set(FLASHES, all);
  }

  /** Returns the messages added by {@link #flash} in order, and removes them. Loads the session. */
  public List<String> flashes() {
    List<String> all = flashed().stream().map(String::valueOf).toList();
    Session ignored = remove(FLASHES);
    return all;
  }

  private List<?> flashed() {
    return get(FLASHES) instanceof List<?> all ? all : List.of();
  }

  /**
   * Returns the names of the values, or {@code Session[unloaded]}. Never loads the session. The id
   * and the values are secret and are left out.
   */
  @Override
  public String toString() {
    LoadedSession known = loaded;
    return "Session" + (known == null ? "[unloaded]" : known.values.seen().keySet());
  }

  /** Returns the values, which can be changed. Loads the session. */
  Map<String, Object> seen() {
    return look().values.seen();
  }

  /** Returns true if the session was accessed, and is thus loaded. */
  boolean isLooked() {
    return loaded != null;
  }

  /** Returns true if this empty session replaces one that could not be loaded. It is not stored. */
  boolean isAnonymous() {
    return anonymous;
  }

  /** Returns true if the session is still in the store, or if the store fails. */
  boolean isThere() {
    try {
      return visit.ask(store -> store.load(id()) != null);
    } catch (StoreUnavailableException e) {
      return true;
    }
  }

  /** Returns true if the session is in the store, as far as this request knows. */
  boolean isStored() {
    return look().entry != null;
  }

  /** Returns true if this request has stored the session. */
  boolean isSavedHere() {
    return savedHere;
  }

  /** Returns true if this request has changed the session since it was loaded or last stored. */
  boolean isChanged() {
    LoadedSession here = look();
    return here.values.isChanged() || here.cookie.isChanged() || here.ownerChanged;
  }

  /**
   * Returns true if the cookie must be sent again: if it has changed, or if the session has changed
   * and has an expiry time, which then restarts.
   */
  boolean needsCookie() {
    return savedCookie
        || look().cookie.isChanged()
        || (look().cookie.expires() != null && (savedChanges || isChanged()));
  }

  /** Returns true if the session is stored, or will be, so that later requests have it. */
  boolean isKept() {
    return visit.keeps(this);
  }
}
