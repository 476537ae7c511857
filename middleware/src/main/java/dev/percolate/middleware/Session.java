package dev.percolate.middleware;

import dev.percolate.core.Settings;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.StoreUnavailable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Holds what is remembered of one visitor: a map of values that fit JSON; see {@link Sessions}.
 *
 * <p>Each request has a copy of its own, to be used by its steps. It is loaded when a step looks at
 * it first. What the request changes is stored by name, on top of what other requests of this
 * visitor have stored meanwhile: a name that it has only read stays as they have left it, and one
 * that they have removed stays removed. A change that depends on what is stored, such as a count,
 * is an {@link #update}. After a login, {@link #regenerate} it: a session that somebody else has
 * planted then stays without rights.
 *
 * <p>Where the store fails, what needs it throws {@link StoreUnavailable}, which answers 503 unless
 * an error handler takes it. A request that only reads a session succeeds even if the store cannot
 * extend the session; the failure is logged.
 */
public final class Session extends AbstractMap<String, Object> {

  /** Where messages wait that are to be shown once. */
  private static final String FLASHES = "flashes";

  private static final System.Logger LOG = System.getLogger("dev.percolate.middleware");
  private static final int MOST_TOLD = 100;
  private static final int LONGEST_OWNER = 255;

  /** Warnings that this process has given. */
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private final SessionVisit visit;
  private final List<String> sentIds;
  private @Nullable LoadedSession loaded;
  private boolean anonymous;
  private boolean savedHere;
  private boolean savedChanges;
  private boolean savedCookie;
  private boolean gone;

  /**
   * Creates the session of a request, which is loaded when it is looked at.
   *
   * @param sentIds the ids that the client has sent; the first that the store has counts
   */
  Session(SessionVisit visit, List<String> sentIds) {
    this.visit = visit;
    this.sentIds = sentIds;
  }

  private LoadedSession look() {
    LoadedSession known = loaded;
    if (known == null) {
      known = load();
      loaded = known;
    }
    return known;
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
      throw visit.refuse(new IOException("it has given a session that is no JSON"));
    }
  }

  /** Returns the id, a secret of server and browser. */
  public String id() {
    return look().id;
  }

  /** Returns the cookie, of which life and attributes may be changed. */
  public SessionCookie cookie() {
    return look().cookie;
  }

  /** Returns whose session this is; null if nobody has been named. */
  public @Nullable String owner() {
    return look().owner;
  }

  /**
   * Says whose session this is, such as at a login: so that {@link #destroyAll} finds it.
   *
   * @param user names the user, by 255 characters at most; null for nobody's
   * @return this session
   * @throws IllegalArgumentException if the name is empty, or longer
   */
  public Session owner(@Nullable String user) {
    if (user != null && (user.isEmpty() || user.length() > LONGEST_OWNER)) {
      throw new IllegalArgumentException(
          "owner(…): a name has 1 to " + LONGEST_OWNER + " characters, not " + user.length());
    }
    LoadedSession here = look();
    here.ownerChanged = here.ownerChanged || !Objects.equals(here.owner, user);
    here.owner = user;
    return this;
  }

  /** Ends this session: it is removed from the store and from the request. */
  public void destroy() {
    destroy(Duration.ZERO);
  }

  private void destroy(Duration overlap) {
    gone = true;
    visit.show(null);
    end(overlap);
  }

  /**
   * Ends this session and all others of its {@linkplain #owner owner}, on all machines: whoever
   * goes on there has to log in again.
   */
  public void destroyAll() {
    String user = owner();
    destroy();
    if (user != null) {
      visit.tell(store -> store.removeAll(user));
    }
  }

  /**
   * Removes what the store has of this session. Other requests that the client sent with its id
   * before that, or at most for a while after it, do not replace the cookie of a new session.
   */
  void end(Duration overlap) {
    LoadedSession here = sentIds.size() > 1 ? look() : loaded;
    Set<String> ids = new LinkedHashSet<>();
    if (here != null && here.entry != null) {
      ids.add(here.id);
    }
    if (here == null || !sentIds.contains(here.id)) {
      ids.addAll(sentIds);
    }
    for (String id : ids) {
      visit.end(id, overlap);
    }
    if (here != null) {
      ids.add(here.id);
    }
    ids.forEach(SessionEnds::ended);
  }

  /**
   * Ends this session and begins an empty one with another id. Other requests that the browser sent
   * before it got the new cookie do not replace that cookie; see {@link Sessions#OVERLAP}.
   *
   * @return the new session, which is that of the request from now on
   */
  public Session regenerate() {
    destroy(visit.overlap());
    Session fresh = new Session(visit, List.of());
    visit.renew(fresh);
    return fresh;
  }

  /**
   * Reads this session from the store again, in the place of what was changed here.
   *
   * @return this session
   * @throws IllegalStateException if it is not there any more
   */
  public Session reload() {
    LoadedSession here = look();
    SessionStore.Entry entry =
        visit.ask(store -> Optional.ofNullable(store.load(here.id))).orElse(null);
    if (entry == null) {
      throw new IllegalStateException("reload(): the session is not in its store any more");
    }
    here.values.replace(entry.session().json());
    here.cookie = new SessionCookie(visit.options(), entry.session());
    here.owner = entry.session().owner();
    here.ownerChanged = false;
    here.entry = entry;
    return this;
  }

  /**
   * Stores this session now, instead of at the end of the answer. One that was removed from the
   * store meanwhile stays removed.
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
      SessionStore.Replaced replaced = replace(here.id, here.onto(now), now);
      now = replaced.current();
      if (replaced.done()) {
        break;
      }
      visit.pauseAfter(conflicts);
    }
    saved(here, json, now);
    return this;
  }

  /**
   * Changes this session by what it holds at that moment, and stores it at once: for counts, and
   * whatever else follows from what is stored. Where another request stores something meanwhile,
   * the change is made again, on top of that; so of a thousand at the same time none is lost.
   *
   * <pre>{@code
   * int visits = session.update(s -> {
   *   int more = s.get("visits") instanceof Integer n ? n + 1 : 1;
   *   s.put("visits", more);
   *   return more;
   * });
   * }</pre>
   *
   * @param change changes the session that it is given, which is this one, and nothing else, as it
   *     may be called several times; what was put before stays on top of what others have stored
   * @param <T> what it gives
   * @return what the last call has given; the session may have been removed by then
   */
  public <T extends @Nullable Object> T update(Function<? super Session, T> change) {
    LoadedSession here = look();
    SessionStore.Entry now = here.entry;
    if (now == null || gone) {
      T result = change.apply(this); // nobody else knows its id
      Session ignored = save();
      return result;
    }
    SessionValues.Changes before = here.values.changes();
    for (int conflicts = 0; ; conflicts++) {
      T result = change.apply(this);
      noteChanges(here);
      SessionStore.Replaced replaced = replace(here.id, here.onto(now), now);
      now = replaced.current();
      if (replaced.done() || now == null) {
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

  private SessionStore.Replaced replace(
      String id, SessionStore.Stored session, SessionStore.Entry now) {
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
   */
  void prolong(@Nullable Duration pause, Instant now) {
    LoadedSession here = look();
    SessionStore.Entry entry = here.entry;
    if (entry == null || gone) {
      return;
    }
    SessionStore.Stored session = entry.session();
    Long maxAge = session.maxAge();
    if (maxAge == null && session.expires() != null) {
      return; // it has a fixed end
    }
    Duration life = maxAge == null ? visit.idle() : Duration.ofMillis(maxAge);
    if (!entry.touched().plus(SessionVisit.pause(pause, life)).isAfter(now)) {
      visit.attempt(store -> store.touch(here.id, session.until(here.cookie.expires())));
    }
  }

  /**
   * Begins the life of this session anew; each request does so at its end.
   *
   * @return this session
   */
  public Session touch() {
    look().cookie.touch();
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
      String loss = look().values.loss(name, value);
      if (loss != null && TOLD.size() < MOST_TOLD && TOLD.add(loss)) {
        LOG.log(Level.WARNING, loss);
      }
    }
    return look().values.seen().put(name, value);
  }

  @Override
  public @Nullable Object get(@Nullable Object name) {
    return look().values.seen().get(name);
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
    return look().values.get(name, type);
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
    return look().values.seen().containsKey(name);
  }

  @Override
  public @Nullable Object remove(@Nullable Object name) {
    return look().values.seen().remove(name);
  }

  @Override
  public boolean isEmpty() {
    return look().values.isEmpty();
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    return look().values.seen().entrySet();
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

  /** Tells whether somebody has looked at it, so that it is loaded. */
  boolean isLooked() {
    return loaded != null;
  }

  /** Tells whether it stands for one that could not be loaded, and is not to be stored. */
  boolean isAnonymous() {
    return anonymous;
  }

  /** Tells whether its store still has it, or does not tell; its life does not begin anew. */
  boolean isThere() {
    try {
      return visit.ask(store -> store.load(id()) != null);
    } catch (StoreUnavailable e) {
      return true;
    }
  }

  /** Tells whether the store has it, as far as this request knows. */
  boolean isStored() {
    return look().entry != null;
  }

  /** Tells whether this request has stored it. */
  boolean isSavedHere() {
    return savedHere;
  }

  /** Tells whether this request has changed it since it was loaded, or stored last. */
  boolean isChanged() {
    LoadedSession here = look();
    return here.values.isChanged() || here.cookie.isChanged() || here.ownerChanged;
  }

  /**
   * Tells whether the browser is to know that it has changed: always if the cookie has; else if
   * anything has, and its life thus begins anew.
   */
  boolean needsCookie() {
    return savedCookie
        || look().cookie.isChanged()
        || (look().cookie.expires() != null && (savedChanges || isChanged()));
  }

  /** Tells whether the visitor comes back with it: it is stored, or will be. */
  boolean isKept() {
    return visit.keeps(this);
  }
}
