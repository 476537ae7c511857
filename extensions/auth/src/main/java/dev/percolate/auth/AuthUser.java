package dev.percolate.auth;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.percolate.http.LogText;
import java.security.Principal;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    String name, Set<String> roles, Set<String> scopes, Map<String, Object> claims)
    implements Principal {

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
   * Creates the user of a token.
   *
   * @param token the claims
   * @param rolesClaim the claim with the roles; a dot separates nested names
   */
  static AuthUser ofToken(JWTClaimsSet token, String rolesClaim) {
    Map<String, Object> claims = token.toJSONObject(); // without null values
    Set<String> scopes = texts(claims.get("scope")); // RFC 8693
    scopes.addAll(texts(claims.get("scp"))); // of some issuers
    Object roles = claims.get(rolesClaim); // a name such as https://example.com/roles
    if (roles == null) {
      roles = claims;
      for (String part : rolesClaim.split("\\.", -1)) {
        roles = roles instanceof Map<?, ?> map ? map.get(part) : null;
      }
    }
    return new AuthUser(token.getSubject(), texts(roles), scopes, claims);
  }

  /** Returns the strings of a list, or the words of a string. */
  static Set<String> texts(@Nullable Object value) {
    Collection<?> all = value instanceof Collection<?> list ? list : List.of();
    return (value instanceof String text ? Stream.of(text.split(" ", -1)) : all.stream())
        .filter(one -> one instanceof String text && !text.isEmpty())
        .map(String.class::cast)
        .collect(Collectors.toCollection(LinkedHashSet::new));
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

  /** Returns the name. */
  @Override
  public String getName() {
    return name;
  }

  /** Returns the name. The claims may be personal data, so they are left out of logs. */
  @Override
  public String toString() {
    return "AuthUser[" + LogText.escape(name) + "]";
  }
}
