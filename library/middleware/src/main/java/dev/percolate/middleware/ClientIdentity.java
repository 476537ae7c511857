package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Request;
import dev.percolate.middleware.session.CookieValues;
import dev.percolate.middleware.store.Fingerprint;
import java.security.Principal;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the client of a request by its credentials and its session. No other client can have
 * them, and they stay the same for all requests of one login.
 */
final class ClientIdentity {

  /** The user that middleware of {@code percolate-auth} has identified, such as by an API key. */
  private static final Key<Object> USER = Key.of("authenticated user", Object.class);

  private ClientIdentity() {}

  /** Returns the identity; null if nothing identifies the client. */
  static @Nullable String of(Request req) {
    String credentials = credentials(req);
    String name = name(req.attrOrNull(USER));
    String user = name == null ? null : "authenticated " + name;
    String session = session(req);
    return credentials == null && user == null && session == null
        ? null
        : Fingerprint.of(
            String.valueOf(credentials), String.valueOf(user), String.valueOf(session));
  }

  private static @Nullable String credentials(Request req) {
    String authorization = req.get("Authorization");
    if (authorization != null) {
      return "authorization " + authorization;
    }
    String user = name(req.attrOrNull(BasicAuth.USER));
    return user == null ? null : "user " + user;
  }

  private static @Nullable String session(Request req) {
    Object known = req.attrOrNull(Session.ATTRIBUTE);
    if (known instanceof Session session) {
      return session.isKept() ? "session " + session.id() : null;
    }
    String id = known instanceof CookieValues values ? values.id() : null;
    return id == null ? null : "cookie " + id;
  }

  /** Returns the name of a user; null if the name may differ in the next request. */
  private static @Nullable String name(@Nullable Object user) {
    if (user instanceof Principal principal) {
      return principal.getName();
    }
    return user instanceof CharSequence || user instanceof Number || user instanceof UUID
        ? user.toString()
        : null;
  }
}
