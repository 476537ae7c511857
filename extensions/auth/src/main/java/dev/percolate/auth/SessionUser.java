package dev.percolate.auth;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.percolate.middleware.Session;
import java.text.ParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The user in a session, as JSON text, so that later requests get the same types. */
final class SessionUser {

  private static final String VALUE = "authenticated user";

  /** Claims of the login itself, which later requests do not need. */
  private static final Set<String> OF_THE_LOGIN =
      Set.of("iss", "aud", "exp", "iat", "nbf", "nonce", "azp", "at_hash", "c_hash", "s_hash");

  private SessionUser() {}

  /** Starts a session with a new id, so that clients with the old one are not logged in. */
  static void start(Session old, AuthUser user) {
    Map<String, Object> claims = new LinkedHashMap<>(user.claims());
    claims.keySet().removeAll(OF_THE_LOGIN);
    List<String> roles = List.copyOf(user.roles());
    List<String> scopes = List.copyOf(user.scopes());
    Map<String, Object> values =
        Map.of("name", user.name(), "roles", roles, "scopes", scopes, "claims", claims);
    Session unused =
        old.regenerate().set(VALUE, JSONObjectUtils.toJSONString(values)).owner(user.name());
  }

  /** Returns the user of a session; null if no user is logged in. */
  static @Nullable AuthUser of(Session session) {
    if (!(session.get(VALUE) instanceof String json)) {
      return null;
    }
    try {
      Map<String, Object> values = JSONObjectUtils.parse(json);
      return new AuthUser(
          JSONObjectUtils.getString(values, "name"),
          AuthUser.texts(values.get("roles")),
          AuthUser.texts(values.get("scopes")),
          JSONObjectUtils.getJSONObject(values, "claims"));
    } catch (ParseException e) {
      throw new IllegalStateException("the session value \"" + VALUE + "\" is invalid", e);
    }
  }
}
