package dev.percolate.conformance;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.TypeRef;
import dev.percolate.middleware.CookieSession;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.SessionCookie;
import dev.percolate.middleware.Sessions;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the middleware of sessions, and maps the members of the originals' sessions. */
final class SessionForm {

  private static final Key<SessionCookie> COOKIE = Key.of("session cookie", SessionCookie.class);

  private SessionForm() {}

  /** Shows a cookie session with its cookie, which is not one of its entries. */
  private static final class WithCookie extends AbstractMap<String, @Nullable Object> {

    private final Map<String, @Nullable Object> session;
    private final SessionCookie cookie;

    WithCookie(Map<String, @Nullable Object> session, SessionCookie cookie) {
      this.session = session;
      this.cookie = cookie;
    }

    @Override
    public @Nullable Object get(@Nullable Object name) {
      return "cookie".equals(name) ? cookie : session.get(name);
    }

    @Override
    public @Nullable Object put(String name, @Nullable Object value) {
      return session.put(name, value);
    }

    @Override
    public Set<Map.Entry<String, @Nullable Object>> entrySet() {
      return session.entrySet();
    }
  }

  static Middleware sessions(Map<String, @Nullable Object> given) {
    Sessions sessions = signed(given.get("secret"));
    for (Map.Entry<String, @Nullable Object> option : given.entrySet()) {
      try {
        sessions = with(sessions, option.getKey(), option.getValue());
      } catch (IllegalArgumentException e) {
        throw Errors.of(String.valueOf(e.getMessage()));
      }
    }
    return sessions;
  }

  static Middleware cookieSession(Map<String, @Nullable Object> given) {
    Object secret = given.get("secret");
    CookieSession session =
        Values.isTrue(secret) ? CookieSession.of(Values.text(secret)) : CookieSession.of();
    for (Map.Entry<String, @Nullable Object> option : given.entrySet()) {
      Object value = option.getValue();
      session =
          switch (option.getKey()) {
            case "cookie" -> session.cookie(c -> CookieForm.options(c, Values.map(value)));
            case "key" -> session.key(Values.text(value));
            case "proxy" -> session.proxy(Values.isTrue(value));
            default -> session;
          };
    }
    return session;
  }

  static boolean isMember(String name) {
    return name.equals("session") || name.equals("sessionID") || name.equals("sessionStore");
  }

  static @Nullable Object read(Request req, String name) {
    Map<String, Object> session = req.attrOrNull(CookieSession.SESSION);
    if (name.equals("session")) {
      SessionCookie cookie = req.attrOrNull(COOKIE);
      return session == null || session instanceof Session || cookie == null
          ? Values.orUndefined(session)
          : new WithCookie(Values.map(session), cookie);
    }
    if (!(session instanceof Session known)) {
      return Values.UNDEFINED;
    }
    return name.equals("sessionID") ? known.id() : Map.of();
  }

  /** Makes a map the session, or another attribute that may hold one; null removes it. */
  static void assign(Request req, String name, @Nullable Object value) {
    Key<Map<String, Object>> key = Key.of(name, new TypeRef<Map<String, Object>>() {});
    req.attr(key, value instanceof Map ? Values.attribute(value) : null);
  }

  static @Nullable Object read(Session session, String name) {
    return switch (name) {
      case "cookie" -> session.cookie();
      case "id" -> session.id();
      default -> Values.orUndefined(session.get(name));
    };
  }

  static void assign(Session session, String name, @Nullable Object value) {
    if (value == Values.UNDEFINED) {
      session.remove(name);
    } else {
      Values.map(session).put(name, value);
    }
  }

  static void assign(SessionCookie cookie, String name, @Nullable Object value) {
    String text = Values.isAbsent(value) ? null : Values.text(value);
    SessionCookie ignored =
        switch (name) {
          case "maxAge" ->
              value instanceof Number millis
                  ? cookie.maxAge(millis.longValue())
                  : cookie.expires(null);
          case "expires" -> cookie.expires(value instanceof Instant instant ? instant : null);
          case "path" -> cookie.path(text == null ? "/" : text);
          case "domain" -> cookie.domain(text);
          case "httpOnly" -> cookie.httpOnly(Values.isTrue(value));
          case "secure" -> cookie.secure(Values.isTrue(value));
          case "sameSite" -> cookie.sameSite(text);
          default -> throw new Missing("assignment of " + name + " in a session's cookie");
        };
  }

  static @Nullable Object call(Session session, String name, @Nullable Object[] args)
      throws Exception {
    switch (name) {
      case "destroy" -> session.destroy();
      case "regenerate" -> session.regenerate();
      case "reload" -> session.reload();
      case "save" -> session.save();
      case "touch" -> session.touch();
      default -> throw new Missing("req.session." + name);
    }
    return args.length > 0 && args[0] instanceof Routine callback ? callback.call() : session;
  }

  private static Sessions signed(@Nullable Object secret) {
    try {
      if (secret instanceof List<?> secrets) {
        return Sessions.of(secrets.stream().map(Values::text).toList());
      }
      return Values.isTrue(secret) ? Sessions.of(Values.text(secret)) : Sessions.of();
    } catch (IllegalArgumentException e) {
      throw Errors.of(String.valueOf(e.getMessage()));
    }
  }

  private static Sessions with(Sessions sessions, String option, @Nullable Object value) {
    return switch (option) {
      case "cookie" -> sessions.cookie(c -> CookieForm.options(c, Values.map(value)));
      case "genid" -> {
        Routine genid = (Routine) Values.orUndefined(value);
        yield sessions.genid(req -> Values.text(genid.invoke(req)));
      }
      case "key", "name" -> sessions.name(Values.text(value));
      case "proxy" -> Values.isAbsent(value) ? sessions : sessions.proxy(Values.isTrue(value));
      case "resave" -> sessions.resave(Values.isTrue(value));
      case "rolling" -> sessions.rolling(Values.isTrue(value));
      case "saveUninitialized" -> sessions.saveUninitialized(Values.isTrue(value));
      case "unset" -> sessions.unset(Values.text(value));
      default -> sessions;
    };
  }
}
