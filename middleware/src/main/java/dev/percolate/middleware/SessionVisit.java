package dev.percolate.middleware;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.CookieSignature;
import dev.percolate.http.Cookies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Leads one request and its session from the cookie to the store. */
final class SessionVisit {

  private final Sessions sessions;
  private final Request req;
  private final Response res;
  private final List<String> secrets;
  private final @Nullable String sentId;
  private String id = "";
  private String originalId = "";
  private String originalJson = "";

  SessionVisit(Sessions sessions, Request req, Response res, List<String> secrets) {
    this.sessions = sessions;
    this.req = req;
    this.res = res;
    this.secrets = secrets;
    this.sentId = sentId(Cookies.parse(req.get("Cookie")).get(sessions.name()), secrets);
  }

  /** Puts the session that the cookie names on the request, or a new one. */
  void begin() throws IOException {
    SessionStore.Stored stored = sentId == null ? null : store().load(sentId);
    Session session =
        sentId == null || stored == null ? generate() : new Session(this, sentId, stored);
    originalId = session.id();
    originalJson = session.json();
    if (stored != null && !sessions.resaves()) {
      session.notedAsSaved();
    }
    show(session);
    res.onHeaders(this::beforeHead);
  }

  SessionStore store() {
    return sessions.store();
  }

  CookieOptions options() {
    return sessions.cookieOptions();
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

  private void beforeHead() {
    Session session = session();
    if (session != null && setsCookie(session) && mayGoOut(session)) {
      session.touch();
      String value = "s:" + CookieSignature.sign(session.id(), secrets.get(0));
      CookieOptions options = session.cookie().options();
      res.append("Set-Cookie", Cookies.serialise(sessions.name(), value, options, 0));
    }
    if (res.bodyLength() >= 0 && res.get("Content-Length") != null) {
      end(); // nobody can change the session between here and the end
    } else {
      res.filter(new PassFilter(this::end));
    }
  }

  private boolean setsCookie(Session session) {
    if (sessions.rolls()) {
      return true;
    }
    if (!session.id().equals(sentId)) {
      return sessions.savesUninitialized() || isChanged(session);
    }
    return session.cookie().expires() != null && isChanged(session);
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
        Session ignored = session.save();
      } else if (session.id().equals(sentId)) {
        boolean ignored = store().touch(session.id(), session.cookie().expires());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isToBeSaved(Session session) {
    boolean fresh = !session.id().equals(sentId) && !sessions.savesUninitialized();
    return fresh ? isChanged(session) && !session.isSaved() : !session.isSaved();
  }

  private boolean isChanged(Session session) {
    return !session.id().equals(originalId) || !session.json().equals(originalJson);
  }

  private @Nullable Session session() {
    Map<String, Object> session = req.attrOrNull(CookieSession.SESSION);
    return session instanceof Session known ? known : null;
  }

  private static @Nullable String sentId(@Nullable String cookie, List<String> secrets) {
    if (cookie == null || !cookie.startsWith("s:")) {
      return null;
    }
    for (String secret : secrets) {
      String id = CookieSignature.unsign(cookie.substring(2), secret);
      if (id != null) {
        return id.isEmpty() ? null : id;
      }
    }
    return null;
  }
}
