package dev.percolate.conformance;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
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

/** Creates the session middleware, and maps the members of the originals' sessions. */
final class SessionForm {

  private static final Key<Object> SESSION = Key.of("session", Object.class);
  private static final Key<SessionCookie> COOKIE = Key.of("session cookie", SessionCookie.class);

  private SessionForm() {}

  /** A cookie session together with its cookie, which is not an entry of it. */
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
        ScriptValues.isTrue(secret)
            ? CookieSession.of(ScriptValues.text(secret))
            : CookieSession.of();
    for (Map.Entry<String, @Nullable Object> option : given.entrySet()) {
      Object value = option.getValue();
      session =
          switch (option.getKey()) {
            case "cookie" -> session.cookie(c -> CookieForm.options(c, ScriptValues.map(value)));
            case "key" -> session.key(ScriptValues.text(value));
            case "proxy" -> session.proxy(ScriptValues.isTrue(value));
            default -> session;
          };
    }
    return session;
  }

  static boolean isMember(String name) {
    return name.equals("session") || name.equals("sessionID") || name.equals("sessionStore");
  }

  static @Nullable Object read(Request req, String name) {
    Object session = req.attrOrNull(SESSION);
    if (name.equals("session")) {
      SessionCookie cookie = req.attrOrNull(COOKIE);
      return session == null || session instanceof Session || cookie == null
          ? ScriptValues.orUndefined(session)
          : new WithCookie(ScriptValues.map(session), cookie);
    }
    if (!(session instanceof Session known)) {
      return ScriptValues.UNDEFINED;
    }
    return name.equals("sessionID") ? known.id() : Map.of();
  }

  /** Sets the session, or another attribute that may contain one, to a map; null removes it. */
  static void assign(Request req, String name, @Nullable Object value) {
    req.attr(Key.of(name, Object.class), value instanceof Map ? value : null);
  }

  static @Nullable Object read(Session session, String name) {
    return switch (name) {
      case "cookie" -> session.cookie();
      case "id" -> session.id();
      default -> ScriptValues.orUndefined(session.get(name));
    };
  }

  static void assign(Session session, String name, @Nullable Object value) {
    session.set(name, ScriptValues.orNull(value));
  }

  static void assign(SessionCookie cookie, String name, @Nullable Object value) {
    String text = ScriptValues.isAbsent(value) ? null : ScriptValues.text(value);
    SessionCookie ignored =
        switch (name) {
          case "maxAge" ->
              value instanceof Number millis
                  ? cookie.maxAge(millis.longValue())
                  : cookie.expires(null);
          case "expires" -> cookie.expires(value instanceof Instant instant ? instant : null);
          case "path" -> cookie.path(text == null ? "/" : text);
          case "domain" -> cookie.domain(text);
          case "httpOnly" -> cookie.httpOnly(ScriptValues.isTrue(value));
          case "secure" -> cookie.secure(ScriptValues.isTrue(value));
          case "sameSite" -> cookie.sameSite(text);
          default -> throw new MissingFeature("assignment of " + name + " in a session's cookie");
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
      default -> throw new MissingFeature("req.session." + name);
    }
    return args.length > 0 && args[0] instanceof Routine callback ? callback.call() : session;
  }

  private static Sessions signed(@Nullable Object secret) {
    try {
      if (secret instanceof List<?> secrets) {
        return Sessions.of(secrets.stream().map(ScriptValues::text).toList());
      }
      return ScriptValues.isTrue(secret) ? Sessions.of(ScriptValues.text(secret)) : Sessions.of();
    } catch (IllegalArgumentException e) {
      throw Errors.of(String.valueOf(e.getMessage()));
    }
  }

  private static Sessions with(Sessions sessions, String option, @Nullable Object value) {
    return switch (option) {
      case "cookie" -> sessions.cookie(c -> CookieForm.options(c, ScriptValues.map(value)));
      case "genid" -> {
        Routine genid = (Routine) ScriptValues.orUndefined(value);
        yield sessions.genid(req -> ScriptValues.text(genid.invoke(req)));
      }
      case "key", "name" -> sessions.name(ScriptValues.text(value));
      case "proxy" ->
          ScriptValues.isAbsent(value) ? sessions : sessions.proxy(ScriptValues.isTrue(value));
      case "resave" -> sessions.resave(ScriptValues.isTrue(value));
      case "rolling" -> sessions.rolling(ScriptValues.isTrue(value));
      case "saveUninitialized" -> sessions.saveUninitialized(ScriptValues.isTrue(value));
      case "unset" -> sessions.unset(ScriptValues.text(value));
      default -> sessions;
    };
  }
}
