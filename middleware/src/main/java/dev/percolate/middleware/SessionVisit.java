package dev.percolate.middleware;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.StoreUnavailable;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.Cookies;
import dev.percolate.http.SignatureForm;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Leads one request and its session from the cookie to the store. */
final class SessionVisit {

  /** What a cookie with the id of a session is signed for. */
  static final String PURPOSE = "session";

  /** How many sessions of one request are sought in the store at most. */
  private static final int MOST_IDS = 8;

  /** How often a change meets another one, one after the other, before it is given up. */
  private static final int MOST_CONFLICTS = 1000;

  private static final int QUICK_CONFLICTS = 3;
  private static final long PAUSE_NANOS = 500_000;

  private final Sessions sessions;
  private final Settings settings;
  private final Request req;
  private final Response res;
  private final List<String> secrets;
  private final String name;

  /** The ids that the client sent with a right signature, in its order. */
  private final List<String> sentIds;

  private @Nullable Session shown;

  /** Whether this request itself has begun a new session, such as at a login. */
  private boolean renewed;

  /** The sessions that this request has regenerated, and whose ids may still arrive. */
  private final List<String> overlapping = new ArrayList<>(1);

  // The id that the browser will have; null for those that it has.
  private @Nullable String newId;

  /** What is asked of the store. */
  interface Question<T> {
    T ask(SessionStore store) throws IOException;
  }

  /** What the store is to do. */
  interface Order {
    void give(SessionStore store) throws IOException;
  }

  SessionVisit(Sessions sessions, Request req, Response res, List<String> secrets) {
    this.sessions = sessions;
    this.settings = req.settings();
    this.req = req;
    this.res = res;
    this.secrets = secrets;
    this.name = sessions.name(settings);
    this.sentIds = sentIds(Cookies.all(req.get("Cookie"), name));
  }

  /** Puts the session that the cookie names on the request, or a new one. */
  void begin() {
    show(new Session(this, sentIds));
    res.onHeaders(this::beforeHead);
  }

  /**
   * Asks the store.
   *
   * @throws StoreUnavailable if it fails, which has been noted
   */
  <T> T ask(Question<T> question) {
    try {
      return question.ask(sessions.store());
    } catch (IOException e) {
      throw refuse(e);
    }
  }

  /**
   * Lets the store do something.
   *
   * @throws StoreUnavailable if it fails, which has been noted
   */
  void tell(Order order) {
    try {
      order.give(sessions.store());
    } catch (IOException e) {
      throw refuse(e);
    }
  }

  /** Runs a store operation that the request does not depend on; a failure is logged. */
  void attempt(Order order) {
    try {
      order.give(sessions.store());
    } catch (IOException e) {
      sessions.failures().note(e);
    }
  }

  /**
   * Loads the session of the request.
   *
   * @return null if there is none of that id
   * @throws StoreUnavailable if the store fails, and requests are to fail with it
   * @throws IOException if the store fails, and requests are to go on without a session
   */
  SessionStore.@Nullable Entry load(String id) throws IOException {
    try {
      return sessions.store().load(id);
    } catch (IOException e) {
      if (sessions.goesOnWithout()) {
        sessions.failures().note(e);
        throw e;
      }
      throw refuse(e);
    }
  }

  /** Returns the error of a store that fails, or that has given what makes no sense. */
  StoreUnavailable refuse(Throwable failure) {
    return sessions.failures().refuse(failure, res);
  }

  /**
   * Lets others go first where many change one session, for a random time.
   *
   * @param conflicts how many others have changed it before
   * @throws StoreUnavailable if they are too many
   */
  void pauseAfter(int conflicts) {
    if (conflicts >= MOST_CONFLICTS) {
      throw refuse(new IOException("a session has changed " + conflicts + " times meanwhile"));
    }
    if (conflicts >= QUICK_CONFLICTS && sessions.store().waits()) {
      long longest = PAUSE_NANOS << Math.min(5, conflicts - QUICK_CONFLICTS);
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest));
    }
  }

  /** Returns how long the store keeps sessions without an end of their own. */
  Duration idle() {
    return sessions.store().idle();
  }

  Settings settings() {
    return settings;
  }

  CookieOptions options() {
    return sessions.cookieOptions(settings);
  }

  String newId() {
    return sessions.newId(req);
  }

  /** Makes a session that of the request; null for none. */
  void show(@Nullable Session session) {
    if (session != null) {
      shown = session;
    }
    req.attr(Sessions.SESSION, session);
  }

  /** Makes a session that this request has begun that of the request. */
  void renew(Session session) {
    renewed = true;
    show(session);
  }

  /** Returns how long requests with the id of a session that was regenerated may still arrive. */
  Duration overlap() {
    return Objects.requireNonNull(settings.get(Sessions.OVERLAP));
  }

  /**
   * Removes a session that ends, and has it remembered.
   *
   * @param overlap how long requests that arrive with its id count as sent before that
   */
  void end(String id, Duration overlap) {
    Instant until = now().plus(overlap);
    tell(store -> store.end(id, until));
    if (!overlap.isZero()) {
      overlapping.add(id);
    }
  }

  /** Returns the current time, to the millisecond as {@link Request#receivedAt}. */
  private static Instant now() {
    return Instant.ofEpochMilli(System.currentTimeMillis());
  }

  /** Tells whether a session is stored, or is to be: one that holds nothing only on demand. */
  boolean keeps(Session session) {
    return session.isStored()
        || (!session.isAnonymous()
            && (sessions.savesUninitialized(settings) || !session.isEmpty()));
  }

  private void beforeHead() {
    Session session = session();
    if (session == null
        || !isOfInterest(session)
        || !setsCookie(session)
        || !mayGoOut(session)
        || isOvertaken(session)) {
      endOverlap();
      finish();
      return;
    }
    session.touch();
    newId = session.id();
    finish();
    String value = form().sign(PURPOSE, name, session.id(), secrets.get(0));
    CookieOptions options = session.cookie().options();
    res.append("Set-Cookie", Cookies.serialise(name, value, options, 0));
  }

  /**
   * Ends the overlap, as the browser gets no cookie of a new session: what it sends from now on
   * with the old id was not sent before it got that cookie.
   */
  private void endOverlap() {
    for (String id : overlapping) {
      attempt(store -> store.end(id, now()));
    }
  }

  /** Stores the session, or has it stored at the end of the body. */
  private void finish() {
    if (res.bodyLength() >= 0 && res.get("Content-Length") != null) {
      end(); // nobody can change the session between here and the end
    } else {
      res.filter(new PassFilter(this::end));
    }
  }

  /** Tells whether somebody has looked at a session, or something is to be done without that. */
  private boolean isOfInterest(Session session) {
    return session.isLooked()
        || sessions.rolls()
        || sessions.resaves(settings)
        || sessions.savesUninitialized(settings);
  }

  private boolean setsCookie(Session session) {
    boolean always = !sentIds.contains(session.id()) || sessions.rolls();
    return always ? keeps(session) : session.needsCookie();
  }

  private boolean mayGoOut(Session session) {
    Boolean proxy = sessions.proxied();
    if (!session.cookie().secure()
        || (proxy == null ? req.secure() : SessionCookie.secure(req, proxy))) {
      return true;
    }
    sessions.plainHttp().note(req, name, proxy == null);
    return false;
  }

  /**
   * Returns true if another request has ended the session that the client sent, such as by a login:
   * the client has, or will get, the cookie of that one, which must not be replaced by this one.
   */
  private boolean isOvertaken(Session session) {
    if (renewed) {
      return false;
    }
    String id = session.id();
    List<String> asked = sentIds.contains(id) ? List.of(id) : sentIds;
    return asked.stream().anyMatch(this::isEndedSince);
  }

  private boolean isEndedSince(String id) {
    try {
      Instant until = sessions.store().ended(id);
      return until != null && req.receivedAt().isBefore(until);
    } catch (IOException e) {
      sessions.failures().note(e);
      return false;
    }
  }

  private void end() {
    Session session = session();
    if (session == null) {
      Session removed = shown;
      if (sessions.destroysUnset() && removed != null) {
        removed.end(Duration.ZERO);
      }
      return;
    }
    if (!isOfInterest(session)) {
      return;
    }
    session.touch();
    if (isToBeSaved(session)) {
      Session ignored = session.save();
    } else if (sentIds.contains(session.id()) && !session.isSavedHere()) {
      session.prolong(sessions.touchEvery(), Instant.now());
    }
  }

  private boolean isToBeSaved(Session session) {
    if (!session.isStored()) {
      // Without its cookie nobody could ask for it.
      return session.id().equals(newId) && keeps(session);
    }
    return session.isChanged() || (sessions.resaves(settings) && !session.isSavedHere());
  }

  private @Nullable Session session() {
    Map<String, Object> session = req.attrOrNull(CookieSession.SESSION);
    return session instanceof Session known ? known : null;
  }

  private SignatureForm form() {
    return SignatureForm.of(settings.get(Settings.COOKIE_SIGNATURE));
  }

  private List<String> sentIds(List<String> cookies) {
    List<String> ids = new ArrayList<>(1);
    for (String cookie : cookies) {
      String id = unsigned(cookie);
      if (id != null && !id.isEmpty() && !ids.contains(id) && ids.size() < MOST_IDS) {
        ids.add(id);
      }
    }
    return ids;
  }

  private @Nullable String unsigned(String cookie) {
    SignatureForm form = form();
    for (String secret : secrets) {
      String id = form.unsign(PURPOSE, name, cookie, secret);
      if (id != null) {
        return id;
      }
    }
    return null;
  }

  /**
   * Returns how long after the last touch a session is touched again: what was chosen, or a tenth
   * of its life.
   */
  static Duration pause(@Nullable Duration chosen, Duration life) {
    return chosen == null ? life.dividedBy(10) : chosen;
  }
}
