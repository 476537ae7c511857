package dev.percolate.auth;

import dev.percolate.middleware.Session;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The user in a session, as JSON values. */
final class SessionUser {

  private static final String NAME = "authenticated user";

  /** Claims of the login itself, which later requests do not need. */
  private static final Set<String> OF_THE_LOGIN =
      Set.of("iss", "aud", "exp", "iat", "nbf", "nonce", "azp", "at_hash", "c_hash", "s_hash");

  private SessionUser() {}

  /** Starts a session with a new id, so that nobody who knows the old one is logged in. */
  static void start(Session old, AuthUser user) {
    Map<String, Object> claims = new LinkedHashMap<>(user.claims());
    claims.keySet().removeAll(OF_THE_LOGIN);
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("name", user.name());
    values.put("roles", List.copyOf(user.roles()));
    values.put("scopes", List.copyOf(user.scopes()));
    values.put("claims", claims);
    Session unused = old.regenerate().set(NAME, values).owner(user.name());
  }

  /** Returns the user of a session; null if nobody is logged in. */
  static @Nullable AuthUser of(Session session) {
    if (!(session.get(NAME) instanceof Map<?, ?> values)
        || !(values.get("name") instanceof String name)) {
      return null;
    }
    Map<String, Object> claims = new LinkedHashMap<>();
    if (values.get("claims") instanceof Map<?, ?> stored) {
      stored.forEach((claim, value) -> claims.put(String.valueOf(claim), value));
    }
    return new AuthUser(
        name,
        ClaimReader.texts(values.get("roles")),
        ClaimReader.texts(values.get("scopes")),
        claims);
  }
}
