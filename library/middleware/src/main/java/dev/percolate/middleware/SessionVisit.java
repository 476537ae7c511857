package dev.percolate.middleware;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.StoreUnavailableException;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.Cookies;
import dev.percolate.http.SignatureForm;
import dev.percolate.middleware.compression.PassFilter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Loads and stores the session of one request, and sets its cookie. */
final class SessionVisit {

  /** The purpose for which cookies with session ids are signed. */
  static final String PURPOSE = "session";

  /** The maximum number of session ids of one request to look up in the store. */
  private static final int MOST_IDS = 8;

  /** The maximum number of consecutive conflicts with other changes before a change fails. */
  private static final int MOST_CONFLICTS = 1000;

  private static final int LONGEST_USER_AGENT = 255;
  private static final int QUICK_CONFLICTS = 3;
  private static final long PAUSE_NANOS = 500_000;

  private final Sessions sessions;
  private final Settings settings;
  private final Request req;
  private final Response res;
  private final List<String> secrets;
  private final String name;
  private final SignatureForm form;

  /** The ids that the client sent with a valid signature, in order. */
  private final List<String> sentIds;

  private @Nullable Session shown;

  /** Whether this request has started a new session, for example at a login. */
  private boolean renewed;

  /** The ids of sessions that this request has regenerated; other requests may still send them. */
  private final List<String> overlapping = new ArrayList<>(1);

  // The id sent to the browser; null if no cookie is set.
  private @Nullable String newId;

  /** A store operation with a result. */
  interface Question<T> {
    T ask(SessionStore store) throws IOException;
  }

  /** A store operation without a result. */
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
    this.form = SignatureForm.of(settings.get(Settings.COOKIE_SIGNATURE));
    this.sentIds = sentIds(Cookies.all(req.get("Cookie"), name));
  }

  /** Sets the session of the request: the one that the cookie names, or a new one. */
  void begin() {
    show(new Session(this, sentIds));
    res.onHeaders(this::beforeHead);
  }

  /**
   * Runs a store operation and returns its result.
   *
   * @throws StoreUnavailableException if the store fails; the failure is logged
   */
  <T> T ask(Question<T> question) {
    try {
      return question.ask(sessions.store);
    } catch (IOException e) {
      throw reject(e);
    }
  }

  /**
   * Runs a store operation.
   *
   * @throws StoreUnavailableException if the store fails; the failure is logged
   */
  void tell(Order order) {
    try {
      order.give(sessions.store);
    } catch (IOException e) {
      throw reject(e);
    }
  }

  /** Runs a store operation that the request does not depend on; a failure is logged. */
  void attempt(Order order) {
    try {
      order.give(sessions.store);
    } catch (IOException e) {
      sessions.failures.note(e);
    }
  }

  /**
   * Loads a session.
   *
   * @return the session; null if the store has none with this id
   * @throws StoreUnavailableException if the store fails, with {@link Sessions.OnFailure#REJECT}
   * @throws IOException if the store fails, with {@link Sessions.OnFailure#ANONYMOUS}
   */
  SessionStore.@Nullable Entry load(String id) throws IOException {
    try {
      return sessions.store.load(id);
    } catch (IOException e) {
      if (sessions.onFailure == Sessions.OnFailure.ANONYMOUS) {
        sessions.failures.note(e);
        throw e;
      }
      throw reject(e);
    }
  }

  /** Logs that the store failed or returned invalid data, and returns the error to throw. */
  StoreUnavailableException reject(Throwable failure) {
    return sessions.failures.reject(failure, res);
  }

  /**
   * Waits for a random time if many requests change the same session.
   *
   * @param conflicts the number of consecutive conflicts with other changes
   * @throws StoreUnavailableException if there are too many conflicts
   */
  void pauseAfter(int conflicts) {
    if (conflicts >= MOST_CONFLICTS) {
      throw reject(new IOException("gave up changing a session after " + conflicts + " conflicts"));
    }
    if (conflicts >= QUICK_CONFLICTS && sessions.store.isBlocking()) {
      long longest = PAUSE_NANOS << Math.min(5, conflicts - QUICK_CONFLICTS);
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest));
    }
  }

  /** Returns the time after which the store removes unused sessions that have no expiry time. */
  Duration idle() {
    return sessions.store.idleTimeout();
  }

  Settings settings() {
    return settings;
  }

  CookieOptions options() {
    return sessions.cookie.of(settings);
  }

  String newId() {
    return sessions.genid.apply(req);
  }

  /** Returns an owner that this request sets now. */
  SessionStore.Owner owner(String user) {
    return new SessionStore.Owner(user, now(), userAgent());
  }

  private @Nullable String userAgent() {
    String sent = req.get("User-Agent");
    if (sent == null || sent.length() <= LONGEST_USER_AGENT) {
      return sent;
    }
    boolean pair = Character.isHighSurrogate(sent.charAt(LONGEST_USER_AGENT - 1));
    return sent.substring(0, pair ? LONGEST_USER_AGENT - 1 : LONGEST_USER_AGENT);
  }

  /** Sets the session of the request; null for none. */
  void show(@Nullable Session session) {
    if (session != null) {
      shown = session;
    }
    req.attr(Sessions.SESSION, session);
  }

  /** Sets the session of the request to a new one that the request has started. */
  void renew(Session session) {
    renewed = true;
    show(session);
  }

  /** Returns the time during which requests with the id of a regenerated session may arrive. */
  Duration overlap() {
    return Objects.requireNonNull(settings.get(Sessions.OVERLAP));
  }

  /**
   * Removes a session, and stores the time at which it ended.
   *
   * @param overlap how long requests with its id count as sent before the end
   */
  void end(String id, Duration overlap) {
    Instant until = now().plus(overlap);
    tell(store -> store.end(id, until));
    if (!overlap.isZero()) {
      overlapping.add(id);
    }
  }

  /** Returns the current time in milliseconds, the precision of {@link Request#receivedAt}. */
  private static Instant now() {
    return Instant.ofEpochMilli(System.currentTimeMillis());
  }

  /** Returns true if a session is stored or will be. Empty sessions are not, unless configured. */
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
        || !sessions.plainHttp.allows(req, name, session.cookie().secure(), sessions.proxy)
        || isOvertaken(session)) {
      endOverlap();
      finish();
      return;
    }
    session.touch();
    newId = session.id();
    finish();
    String value = form.sign(PURPOSE, name, session.id(), secrets.get(0));
    CookieOptions options = session.cookie().options();
    res.append("Set-Cookie", Cookies.serialise(name, value, options, 0));
  }

  /**
   * Ends the overlap now: the browser gets no new cookie, so it may continue to send the old id.
   */
  private void endOverlap() {
    for (String id : overlapping) {
      attempt(store -> store.end(id, now()));
    }
  }

  /**
   * Stores the session before the headers are sent, since the client may use the new cookie at
   * once, or disconnect before the end. Changes made while the body is sent are stored at its end.
   */
  private void finish() {
    end();
    boolean complete = res.bodyLength() >= 0 && res.get("Content-Length") != null;
    if (!complete && res.filterable()) {
      res.filter(new PassFilter(this::end));
    }
  }

  /** Returns true if a session was accessed, or an option applies to sessions not accessed. */
  private boolean isOfInterest(Session session) {
    return session.isLooked()
        || sessions.rolling
        || sessions.resaves(settings)
        || sessions.savesUninitialized(settings);
  }

  private boolean setsCookie(Session session) {
    boolean always = !sentIds.contains(session.id()) || sessions.rolling;
    return always ? keeps(session) : session.needsCookie();
  }

  /**
   * Returns true if another request has ended the session that the client sent, for example by a
   * login. This response must then not replace the cookie that the other response sets.
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
      Instant until = sessions.store.endedAt(id);
      return until != null && req.receivedAt().isBefore(until);
    } catch (IOException e) {
      sessions.failures.note(e);
      return false;
    }
  }

  /** Stores what has changed so far. */
  private void end() {
    Session session = session();
    if (session == null) {
      Session removed = shown;
      shown = null; // so that it is ended once
      if (sessions.destroyUnset && removed != null) {
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
      session.prolong(sessions.touchInterval, Instant.now());
    }
  }

  private boolean isToBeSaved(Session session) {
    if (!session.isStored()) {
      // Without its cookie, no request could find it.
      return session.id().equals(newId) && keeps(session);
    }
    return session.isChanged() || (sessions.resaves(settings) && !session.isSavedHere());
  }

  private @Nullable Session session() {
    return req.attrOrNull(Session.ATTRIBUTE) instanceof Session session ? session : null;
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
    for (String secret : secrets) {
      String id = form.unsign(PURPOSE, name, cookie, secret);
      if (id != null) {
        return id;
      }
    }
    return null;
  }
}
