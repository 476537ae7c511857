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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Leads one request and its session from the cookie to the store. */
final class SessionVisit {

  /** What a cookie with the id of a session is signed for. */
  static final String PURPOSE = "session";

  private final Sessions sessions;
  private final Settings settings;
  private final Request req;
  private final Response res;
  private final List<String> secrets;
  private final String name;
  private final @Nullable String sentId;
  private @Nullable Session shown;

  // The id that the browser has, or will have.
  private @Nullable String knownId;

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
    this.sentId = sentId(Cookies.parse(req.get("Cookie")).get(name));
    this.knownId = sentId;
  }

  /** Puts the session that the cookie names on the request, or a new one. */
  void begin() {
    show(new Session(this, sentId));
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

  /** Tells whether a thread that asks the store may wait. */
  boolean mayWait() {
    return sessions.store().waits();
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

  /** Tells whether a session is stored, or is to be: one that holds nothing only on demand. */
  boolean keeps(Session session) {
    return session.isStored()
        || (!session.isAnonymous()
            && (sessions.savesUninitialized(settings) || !session.isEmpty()));
  }

  private void beforeHead() {
    Session session = session();
    if (session == null || !isOfInterest(session) || !setsCookie(session) || !mayGoOut(session)) {
      finish();
      return;
    }
    session.touch();
    knownId = session.id();
    finish();
    String value = form().sign(PURPOSE, name, session.id(), secrets.get(0));
    CookieOptions options = session.cookie().options();
    res.append("Set-Cookie", Cookies.serialise(name, value, options, 0));
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
    boolean always = !session.id().equals(sentId) || sessions.rolls();
    return always ? keeps(session) : session.needsCookie();
  }

  private boolean mayGoOut(Session session) {
    Boolean proxy = sessions.proxied();
    return !session.cookie().secure()
        || (proxy == null ? req.secure() : SessionCookie.secure(req, proxy));
  }

  private void end() {
    Session session = session();
    if (session == null) {
      Session removed = shown;
      if (sessions.destroysUnset() && removed != null) {
        removed.forget();
      }
      return;
    }
    if (!isOfInterest(session)) {
      return;
    }
    session.touch();
    if (isToBeSaved(session)) {
      Session ignored = session.save();
    } else if (session.id().equals(sentId) && !session.isSavedHere()) {
      session.prolong(sessions.touchEvery(), Instant.now());
    }
  }

  private boolean isToBeSaved(Session session) {
    if (!session.isStored()) {
      // Without its cookie nobody could ask for it.
      return session.id().equals(knownId) && keeps(session);
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

  private @Nullable String sentId(@Nullable String cookie) {
    if (cookie == null) {
      return null;
    }
    SignatureForm form = form();
    for (String secret : secrets) {
      String id = form.unsign(PURPOSE, name, cookie, secret);
      if (id != null) {
        return id.isEmpty() ? null : id;
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
