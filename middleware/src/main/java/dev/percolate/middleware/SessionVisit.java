package dev.percolate.middleware;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.Cookies;
import dev.percolate.http.SignatureForm;
import java.io.IOException;
import java.io.UncheckedIOException;
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
  private String id = "";

  // The id that the browser has, or will have.
  private @Nullable String knownId;

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
  void begin() throws IOException {
    SessionStore.Stored stored = sentId == null ? null : store().load(sentId);
    show(sentId == null || stored == null ? generate() : new Session(this, sentId, stored));
    res.onHeaders(this::beforeHead);
  }

  SessionStore store() {
    return sessions.store();
  }

  Settings settings() {
    return settings;
  }

  CookieOptions options() {
    return sessions.cookieOptions(settings);
  }

  Session generate() {
    return new Session(this, sessions.newId(req));
  }

  /** Makes a session that of the request; null for none. */
  void show(@Nullable Session session) {
    if (session != null) {
      id = session.id();
    }
    req.attr(Sessions.SESSION, session);
  }

  /** Tells whether a session is stored, or is to be: one that holds nothing only on demand. */
  boolean keeps(Session session) {
    return session.isStored() || sessions.savesUninitialized(settings) || !session.isEmpty();
  }

  private void beforeHead() {
    Session session = session();
    if (session != null && setsCookie(session) && mayGoOut(session)) {
      session.touch();
      String value = form().sign(PURPOSE, name, session.id(), secrets.get(0));
      CookieOptions options = session.cookie().options();
      res.append("Set-Cookie", Cookies.serialise(name, value, options, 0));
      knownId = session.id();
    }
    if (res.bodyLength() >= 0 && res.get("Content-Length") != null) {
      end(); // nobody can change the session between here and the end
    } else {
      res.filter(new PassFilter(this::end));
    }
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
    try {
      Session session = session();
      if (session == null) {
        if (sessions.destroysUnset()) {
          store().remove(id);
        }
        return;
      }
      session.touch();
      if (isToBeSaved(session)) {
        session.save();
      } else if (session.id().equals(sentId) && !session.isSavedHere()) {
        store().touch(session.id(), session.cookie().expires());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
}
