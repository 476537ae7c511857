package dev.percolate.auth;

import dev.percolate.http.LogText;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The authenticated user of a request, see {@link Auth#USER}.
 *
 * @param name the name or id of the user; the subject of a token
 * @param roles the roles, for {@link Auth#role}
 * @param scopes the scopes that the client may use, for {@link Auth#scope}
 * @param claims further values, such as the claims of a token
 */
public record AuthUser(
    String name, Set<String> roles, Set<String> scopes, Map<String, Object> claims) {

  /**
   * Copies the collections.
   *
   * @throws IllegalArgumentException if the name is empty
   */
  public AuthUser {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("name of a user must not be empty");
    }
    roles = Set.copyOf(roles);
    scopes = Set.copyOf(scopes);
    claims = Collections.unmodifiableMap(new LinkedHashMap<>(claims));
  }

  /**
   * Creates a user without scopes and claims.
   *
   * @param name the name or id
   * @param roles the roles
   */
  public static AuthUser of(String name, String... roles) {
    return new AuthUser(name, Set.copyOf(List.of(roles)), Set.of(), Map.of());
  }

  /**
   * Returns a claim.
   *
   * @param claim the name of the claim, such as {@code email}
   * @return its value; null if it is absent
   */
  public @Nullable Object claim(String claim) {
    return claims.get(claim);
  }

  /** Returns the name. The claims may be personal data, so they are left out of logs. */
  @Override
  public String toString() {
    return "AuthUser[" + LogText.escape(name) + "]";
  }
}
